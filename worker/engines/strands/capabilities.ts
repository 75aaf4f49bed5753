import type { EngineCapabilities } from '../../../src/contract/capabilities.ts'

/** What Strands Shell can do. */
export const STRANDS_CAPABILITIES: EngineCapabilities = {
  terminable: false,
  interrupt: false,
  sync: true,
  streaming: false,
  changes: true,
  checkpoint: true,
}
