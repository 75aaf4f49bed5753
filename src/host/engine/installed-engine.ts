import type { EngineFinder } from '../worker-leases.ts'
import { forgetEngine, resolveEngine } from './resolve-engine.ts'

/** The engine that is installed beside this package. */
export const installedEngine: EngineFinder = {
  find: async () => (await resolveEngine()).source,
  forget: forgetEngine,
}
