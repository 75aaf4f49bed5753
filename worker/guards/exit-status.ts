/** Brings a status to 0..255 as other shells do: the engine passes on `exit 300` and `exit -1` as they are. */
export function normalizeExitStatus(status: number): number {
  return status & 0xff
}
