import type { SharedModules } from './shared-chunks.mjs'

export function hostModules(modulesOf: ReadonlyMap<string, ReadonlySet<string>>): SharedModules
