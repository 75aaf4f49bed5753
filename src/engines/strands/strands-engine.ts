import type { EngineSource } from '../../contract/lease.ts'
import type { HostEngine } from '../host-engine.ts'
import { prepareNativeThreads, restoreNativeThreads } from './native-threads.ts'
import { forgetEngine, resolveEngine } from './resolve-engine.ts'

/** Everything but where the engine is found. */
const common = {
  name: 'strands',
  key: 'strands',
  /** Room for the largest string there is, twice: an allocation far beyond the limit ends the process, not the worker. */
  heapMegabytes: 2048,
  terminable: false,
  // Its runtime ends the process where it lacks a descriptor or its one thread; the shell, its build and the worker have one each.
  needs: { first: { descriptors: 28, tasks: 6 }, again: { descriptors: 14, tasks: 4 } },
  blank: {
    engine: 'strands',
    binds: [],
    credentials: [],
    allowedUrls: [],
    env: [],
    limits: {},
    mirror: { maxFiles: 1, maxBytes: 1 },
  },
  beginBuild: prepareNativeThreads,
  endBuild: restoreNativeThreads,
} as const satisfies Omit<HostEngine, 'find' | 'forget'>

/** Strands Shell, as it is installed beside this package. */
export const strandsEngine: HostEngine = {
  ...common,
  find: async () => (await resolveEngine()).source,
  forget: forgetEngine,
}

/** Strands Shell where somebody else has found it. */
export function strandsEngineAt(source: EngineSource): HostEngine {
  return { ...common, find: () => Promise.resolve(source), forget: () => undefined }
}
