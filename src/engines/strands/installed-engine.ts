import type { EngineFinder } from '../../places/threads/thread-places.ts'
import { forgetEngine, resolveEngine } from './resolve-engine.ts'

/** The engine that is installed beside this package. */
export const installedEngine: EngineFinder = {
  find: async () => (await resolveEngine()).source,
  forget: forgetEngine,
}
