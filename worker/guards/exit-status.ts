export function normalizeExitStatus(status: number): number {
  return status & 255
}
