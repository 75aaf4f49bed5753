import type { BuildOptions } from 'esbuild'

export const compact: Pick<BuildOptions, 'minifyWhitespace' | 'lineLimit'>
