import type { EngineSource } from '../contract/lease.ts'
import type { ShellRecord } from '../contract/shell-record.ts'
import { bashEngineAt } from './bash/bash-engine.ts'
import type { HostEngine } from './host-engine.ts'
import { strandsEngineAt } from './strands/strands-engine.ts'

/** The engine that `source` is of, where somebody else has found it. @param blank - the blank shell of that engine. */
export function engineAt(source: EngineSource, blank: ShellRecord): HostEngine {
  if (blank.engine === 'jail') throw new TypeError('A cell has no jails.')
  return blank.engine === 'bash' ? bashEngineAt(source, blank.limits.maxMemory) : strandsEngineAt(source)
}
