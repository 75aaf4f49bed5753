import type { EngineName, EngineSource } from '../contract/lease.ts'
import type { HostEngine } from './host-engine.ts'
import { strandsEngineAt } from './strands/strands-engine.ts'

const engines: Readonly<Record<EngineName, (source: EngineSource) => HostEngine>> = {
  strands: strandsEngineAt,
}

/** The engine that `source` is of, where somebody else has found it. */
export function engineAt(source: EngineSource): HostEngine {
  return engines[source.engine](source)
}
