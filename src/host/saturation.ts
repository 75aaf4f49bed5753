import { HostSaturatedError, type Saturation } from '../sandbox/errors.ts'
import type { ResolvedHostOptions } from './options.ts'

/** The bound of cells, which a host usually reaches before `maxSandboxes`. Empty for a host of threads. */
function cellBound({ isolation, maxCells, sandboxesPerCell }: ResolvedHostOptions): string {
  if (isolation !== 'process') return ''
  return ` Its cells hold ${maxCells * sandboxesPerCell} sandboxes (maxCells: ${maxCells}, sandboxesPerCell: ${sandboxesPerCell}).`
}

/** More sandboxes wait for a place than may. */
export function queueFull(saturation: Saturation, options: ResolvedHostOptions): HostSaturatedError {
  const { open, maxSandboxes, queued, maxQueued } = saturation
  return new HostSaturatedError(
    `${open} sandboxes are open (maxSandboxes: ${maxSandboxes}) and ${queued} wait for a place (maxQueued: ${maxQueued}).${cellBound(options)} Close sandboxes first.`,
    { saturation },
  )
}

/** There was no place in time. */
export function openedTooLate(saturation: Saturation, options: ResolvedHostOptions): HostSaturatedError {
  const { open, maxSandboxes, queued } = saturation
  return new HostSaturatedError(
    `Opening a sandbox took longer than openTimeout (${options.openTimeout} s): ${open} sandboxes are open (maxSandboxes: ${maxSandboxes}), ${queued} wait.${cellBound(options)}`,
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
