import type { BuildOptions } from 'esbuild'

export const pool: Pick<BuildOptions, 'plugins' | 'external'>
export const requireOfModule: string
