import { HostSaturatedError, type Saturation } from '../sandbox/errors.ts'
import type { ResolvedHostOptions } from './options.ts'

/** More sandboxes wait for a place than may. */
export function queueFull(saturation: Saturation, options: ResolvedHostOptions): HostSaturatedError {
  const { open, maxSandboxes, queued, maxQueued } = saturation
  return new HostSaturatedError(
    `${open} sandboxes are open (maxSandboxes: ${maxSandboxes}) and ${queued} wait for a place (maxQueued: ${maxQueued}). ${adviceOn(saturation, options)}`,
    { saturation },
  )
}

/** There was no place in time. */
export function openedTooLate(saturation: Saturation, options: ResolvedHostOptions): HostSaturatedError {
  const { open, maxSandboxes, queued } = saturation
  return new HostSaturatedError(
    `Opening a sandbox took longer than openTimeout (${options.openTimeout} s): ${open} sandboxes are open (maxSandboxes: ${maxSandboxes}), ${queued} wait. ${adviceOn(saturation, options)}`,
    { saturation },
  )
}

/** Too many retired sessions still run their last command. */
export function tooManyRetired(saturation: Saturation): HostSaturatedError {
  const { retired, maxRetired } = saturation
  return new HostSaturatedError(
    `${retired} retired sessions still run their last command (maxRetired: ${maxRetired}). Wait for them to end.`,
    { saturation },
  )
}

/** The bound that keeps places from the sandbox, and what to do about it. */
function adviceOn({ reached, maxSandboxes, maxCells }: Saturation, options: ResolvedHostOptions): string {
  const { sandboxesPerCell, cellBackoff } = options
  if (reached.includes('maxSandboxes')) {
    return `The host holds at most ${maxSandboxes}: close sandboxes, or raise maxSandboxes.`
  }
  if (reached.includes('sandboxesPerCell')) {
    return `Its cells hold at most ${maxCells * sandboxesPerCell} (maxCells: ${maxCells}, sandboxesPerCell: ${sandboxesPerCell}): close sandboxes, or raise one of the two.`
  }
  if (reached.includes('maxCells')) {
    return `No more cells may run (maxCells: ${maxCells}), and none has the allowedUrls of this sandbox, which cells do not mix: close the sandboxes of a cell, or raise maxCells.`
  }
  if (reached.includes('cellBackoff')) {
    return `Cells have ended one after another, and the next one starts after a pause (cellBackoff: ${cellBackoff} s). The events 'lost' and the errors of their sandboxes say why.`
  }
  return 'No bound of the host was reached: the machine was slow, or openTimeout is too short.'
}
