import type { EngineCapabilities } from '../../contract/capabilities.ts'
import { flag, objectOf } from '../../sandbox/schema-parts.ts'

/** What an engine says that it can. */
export const capabilitiesSchema = objectOf<EngineCapabilities>({
  terminable: flag,
  interrupt: flag,
  sync: flag,
  streaming: flag,
  changes: flag,
  checkpoint: flag,
})
