import type { EngineCapabilities } from '../../contract/capabilities.ts'
import { type LeaseReply, MIRROR_ALLOWANCE } from '../../contract/lease.ts'
import { isErrorData, isRecord } from '../../sandbox/error-shapes.ts'

/** Seconds: a century. No engine waits longer, and no timer of ours overflows on the way. */
const longestTimeout = 100 * 366 * 86_400

/** True for a worker's answer of the contract's shape. */
export function isLeaseReply(reply: unknown): reply is LeaseReply {
  if (!isRecord(reply) || !isGate(reply['gate'])) return false
  if (reply['ok'] === false) return isErrorData(reply['error'])
  const { timeout, allowance, capabilities } = reply
  if (reply['ok'] !== true || !isSeconds(timeout) || timeout <= 0) return false
  return isAllowance(allowance) && isCapabilities(capabilities)
}

/** True for seconds that mirroring may take. */
export function isAllowance(value: unknown): value is number {
  return isSeconds(value) && value <= MIRROR_ALLOWANCE
}

const capabilityNames: Record<keyof EngineCapabilities, true> = {
  terminable: true,
  interrupt: true,
  sync: true,
  streaming: true,
  changes: true,
  stdin: true,
}

/** True for what an engine says that it can. */
export function isCapabilities(value: unknown): value is EngineCapabilities {
  return isRecord(value) && Object.keys(capabilityNames).every((name) => typeof value[name] === 'boolean')
}

function isGate(value: unknown): boolean {
  return value instanceof SharedArrayBuffer && value.byteLength === Int32Array.BYTES_PER_ELEMENT
}

/** True for seconds that a deadline may be. */
export function isSeconds(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= longestTimeout
}
