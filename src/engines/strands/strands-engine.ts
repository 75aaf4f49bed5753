import type { EngineSource } from '../../contract/lease.ts'
import { type HostEngine, WORKER_SPACE } from '../host-engine.ts'
import { nativeStackSize, prepareNativeThreads, restoreNativeThreads } from './native-threads.ts'
import { forgetEngine, resolveEngine } from './resolve-engine.ts'

/** Bytes of address space that a thread of the engine reserves for its allocations, while they are aligned. */
const THREAD_SPACE = 128 * 2 ** 20
/** The shell and its build have one each. */
const THREADS = 2

/** Functions are in the language of the engine, as this package has translated them. Raise the number with a change that makes older ones wrong. */
const CHECKPOINT_FORM = 'Strands Shell, 1'

/** Everything but where the engine is found. */
const common = {
  name: 'strands',
  key: 'strands',
  /** Room for the largest string there is, twice: an allocation far beyond the limit ends the process, not the worker. */
  heapMegabytes: 2048,
  terminable: false,
  leavesLoopFree: true,
  checkpointForm: CHECKPOINT_FORM,
  // Its runtime ends the process where it lacks a descriptor or its one thread, or the stack of one; the shell, its build and the worker have one each.
  needs: (isFirst) => {
    const addressSpace = THREADS * (nativeStackSize() + THREAD_SPACE)
    return isFirst
      ? { descriptors: 28, tasks: 6, addressSpace: addressSpace + WORKER_SPACE }
      : { descriptors: 14, tasks: 4, addressSpace }
  },
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
