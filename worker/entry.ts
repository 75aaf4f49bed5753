import { createAdopt } from './adopt.ts'
import { loadEngine } from './engine.ts'

/** What the host's pool runs in a worker: one task opens one lease. */
export default createAdopt(loadEngine)
