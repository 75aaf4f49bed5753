import type { EngineCapabilities } from '../../src/contract/capabilities.ts'

/** What Strands Shell can do, for what stands in for it. */
export const strandsCapabilities: EngineCapabilities = {
  terminable: false,
  interrupt: false,
  sync: true,
  streaming: false,
  changes: true,
  checkpoint: false,
}
