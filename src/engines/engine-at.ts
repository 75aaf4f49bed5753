import type { EngineName, EngineSource } from '../contract/lease.ts'
import { bashEngineAt } from './bash/bash-engine.ts'
import type { HostEngine } from './host-engine.ts'
import { strandsEngineAt } from './strands/strands-engine.ts'

const engines: Readonly<Record<EngineName, (source: EngineSource, heapMegabytes: number) => HostEngine>> = {
  strands: strandsEngineAt,
  bash: bashEngineAt,
}

/** The engine that `source` is of, where somebody else has found it. @param heapMegabytes - the heap of a worker, in MiB. */
export function engineAt(source: EngineSource, heapMegabytes: number): HostEngine {
  return engines[source.engine](source, heapMegabytes)
}
