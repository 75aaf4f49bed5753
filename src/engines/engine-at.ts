import type { EngineSource } from '../contract/lease.ts'
import type { HostEngine } from './host-engine.ts'
import { strandsEngineAt } from './strands/strands-engine.ts'

/** The engine that `source` is of, where somebody else has found it. */
export function engineAt(source: EngineSource): HostEngine {
  return strandsEngineAt(source)
}
