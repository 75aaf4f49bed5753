/**
 * Brings a status to 0..255 as other shells do: the engine passes on `exit 300` and `exit -1` as they are.
 * What is no integer stays what it is, for the host to refuse.
 */
export function normalizeExitStatus(status: number): number {
  return Number.isInteger(status) ? status & 0xff : status
}
