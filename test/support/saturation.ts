/** What is told of a host with one sandbox and no place for another. */
export const saturation = {
  reached: ['maxSandboxes' as const],
  open: 1,
  maxSandboxes: 1,
  cells: 0,
  maxCells: 1,
  queued: 0,
  maxQueued: 0,
  retired: 0,
  maxRetired: 1,
}
