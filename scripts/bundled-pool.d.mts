import type { Plugin } from 'esbuild'

export const bundledPool: Plugin
export const requireOfModule: string
