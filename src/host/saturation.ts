import { HostSaturatedError, type Saturation, type TenantSaturation } from '../sandbox/errors.ts'
import { quote } from '../sandbox/show-value.ts'
import type { ResolvedHostOptions } from './options.ts'
import type { Share } from './tenants/share.ts'

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

/** How much of its quota a tenant has. */
export function saturationOf(
  { tenant, taken, most, rate, waiters }: Share<unknown>,
  label: string,
): TenantSaturation {
  return {
    label,
    value: tenant,
    open: taken,
    maxSandboxes: most === Number.POSITIVE_INFINITY ? undefined : most,
    opensPerMinute: rate?.perMinute,
    queued: waiters.size,
  }
}

/** The bound that keeps places from the sandbox, and what to do about it. */
function adviceOn(saturation: Saturation, options: ResolvedHostOptions): string {
  const { reached, maxSandboxes, maxCells, tenant } = saturation
  const { sandboxesPerCell, cellBackoff, cellsFor } = options
  if (tenant !== undefined && reached.includes('quotas.maxSandboxes')) {
    return `Sandboxes with ${labelOf(tenant)} are at most ${tenant.maxSandboxes} (quotas.maxSandboxes), and ${tenant.queued} more wait: close some of them, or raise their quota.`
  }
  if (tenant !== undefined && reached.includes('quotas.opensPerMinute')) {
    return `Sandboxes with ${labelOf(tenant)} open at most ${tenant.opensPerMinute} times a minute (quotas.opensPerMinute), and ${tenant.queued} more wait: open fewer, or raise their quota.`
  }
  if (reached.includes('maxSandboxes')) {
    return `The host holds at most ${maxSandboxes}: close sandboxes, or raise maxSandboxes.`
  }
  if (reached.includes('sandboxesPerCell')) {
    return `Its cells hold at most ${maxCells * sandboxesPerCell} (maxCells: ${maxCells}, sandboxesPerCell: ${sandboxesPerCell}): close sandboxes, or raise one of the two.`
  }
  if (reached.includes('maxCells')) {
    return `No more cells may run (maxCells: ${maxCells}), and none has the ${cellsFor === 'policy' ? 'allowedUrls and binds' : `allowedUrls, the binds and the label ${cellsFor.label}`} of this sandbox, which cells do not mix: close the sandboxes of a cell, or raise maxCells.`
  }
  if (reached.includes('cellBackoff')) {
    return `Cells have ended one after another, and the next one starts after a pause (cellBackoff: ${cellBackoff} s). The events 'lost' and the errors of their sandboxes say why.`
  }
  return 'No bound of the host was reached: the machine was slow, or openTimeout is too short.'
}

function labelOf({ label, value }: TenantSaturation): string {
  return value === '' ? `no label ${label}` : `${label} ${quote(value)}`
}
