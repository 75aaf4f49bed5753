import type { BuildOptions, BuildResult } from 'esbuild'

/** Modules that become one chunk, and the entries that load it: paths as esbuild gives them. */
export interface SharedModules {
  readonly modules: readonly string[]
  readonly entries: readonly string[]
}

export function buildWithSharedChunks(
  options: BuildOptions,
  groupsOf: (modulesOf: ReadonlyMap<string, ReadonlySet<string>>) => readonly SharedModules[],
  read?: (path: string) => Promise<string>,
): Promise<BuildResult>
