import type { PolicyCall } from '../types.ts'
import { type Protection, resolved } from './paths.ts'

/** Why a file operation may not run; undefined where it writes nothing that is protected. */
export function refuseFileOperation(
  call: Extract<PolicyCall, { readonly kind: 'file' }>,
  protection: Protection,
): string | undefined {
  const { operation, path, to } = call
  switch (operation) {
    case 'read':
    case 'list':
    case 'stat':
      return undefined
    case 'write':
    case 'append':
    case 'makeDirectory':
      return refusePath(path, call, (place) => protection.holds(place))
    case 'remove':
      return refusePath(path, call, (place) => protection.touches(place))
    case 'copy':
      return refusePath(to ?? path, call, (place) => protection.touches(place))
    case 'move':
      return [path, to ?? path]
        .map((one) => refusePath(one, call, (place) => protection.touches(place)))
        .find((reason) => reason !== undefined)
  }
}

function refusePath(
  path: string,
  { sandbox }: PolicyCall,
  isProtected: (place: string) => boolean,
): string | undefined {
  const place = resolved(path, undefined)
  if (place !== undefined) return isProtected(place) ? protectedReason(path) : undefined
  // The engine of bash refuses it where the file is opened.
  if (sandbox.shell === 'bash') return undefined
  return `${path}: where a relative path leads is only known at run time. Use an absolute path.`
}

/** Says that a path may not be written. */
export function protectedReason(path: string): string {
  return `${path} may not be written here. Write elsewhere, or do without it.`
}
