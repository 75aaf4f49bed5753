import type { Plugin } from 'esbuild'

export const pool: { plugins: Plugin[]; external: string[] }
export const requireOfModule: string
