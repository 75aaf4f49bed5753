import type { EngineSource } from '../../contract/lease.ts'
import type { HostEngine } from '../host-engine.ts'
import { prepareNativeThreads, restoreNativeThreads } from './native-threads.ts'
import { forgetEngine, resolveEngine } from './resolve-engine.ts'

const name = 'strands'
const build = { beginBuild: prepareNativeThreads, endBuild: restoreNativeThreads }

/** Strands Shell, as it is installed beside this package. */
export const strandsEngine: HostEngine = {
  name,
  find: async () => (await resolveEngine()).source,
  forget: forgetEngine,
  ...build,
}

/** Strands Shell where somebody else has found it. */
export function strandsEngineAt(source: EngineSource): HostEngine {
  return { name, find: () => Promise.resolve(source), forget: () => undefined, ...build }
}
