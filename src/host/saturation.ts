import { HostSaturatedError, type Saturation } from '../sandbox/errors.ts'

/** More sandboxes wait for a place than may. */
export function queueFull(saturation: Saturation): HostSaturatedError {
  const { open, maxSandboxes, queued, maxQueued } = saturation
  return new HostSaturatedError(
    `${open} sandboxes are open (maxSandboxes: ${maxSandboxes}) and ${queued} wait for a place (maxQueued: ${maxQueued}). Close sandboxes first.`,
    { saturation },
  )
}

/** There was no place in time. @param openTimeout - seconds. */
export function openedTooLate(openTimeout: number, saturation: Saturation): HostSaturatedError {
  const { open, maxSandboxes, queued } = saturation
  return new HostSaturatedError(
    `Opening a sandbox took longer than openTimeout (${openTimeout} s): ${open} sandboxes are open (maxSandboxes: ${maxSandboxes}), ${queued} wait.`,
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
