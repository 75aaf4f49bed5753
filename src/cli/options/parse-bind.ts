import type { BindConfig } from '../../config/types.ts'
import { type CliError, usageError } from '../failure.ts'

const form = 'SRC:DST[:copy|direct|passthrough][:ro]'

type Mode = NonNullable<BindConfig['mode']>

const modes: Record<Mode, true> = { copy: true, direct: true, passthrough: true }

interface Suffixes {
  readonly place: string
  readonly mode: Mode | undefined
  readonly readonly: boolean
}

/**
 * Parses `SRC:DST[:copy|direct|passthrough][:ro]`. It is read from its end: first the suffixes, in any order, then
 * DST after the last colon that is left. So SRC may hold colons, and DST may not.
 *
 * @throws CliError saying what is wrong and what the form is.
 */
export function parseBind(spec: string): BindConfig {
  const { place, mode, readonly } = takeSuffixes(spec)
  const colon = place.lastIndexOf(':')
  const source = place.slice(0, Math.max(colon, 0))
  const destination = place.slice(colon + 1)
  if (colon === -1) throw refuse(`${quote(place)} has no destination`)
  if (source === '') throw refuse(`the source of ${quote(spec)} is empty`)
  if (destination === '') throw refuse(`the destination of ${quote(spec)} is empty`)
  if (!destination.startsWith('/')) {
    throw refuse(
      `${quote(destination)} is neither a destination, which begins with "/", nor one of copy, direct, passthrough and ro`,
    )
  }
  return { source, destination, ...(mode === undefined ? {} : { mode }), ...(readonly ? { readonly } : {}) }
}

function takeSuffixes(spec: string): Suffixes {
  let place = spec
  let mode: Suffixes['mode']
  let readonly = false
  for (;;) {
    const colon = place.lastIndexOf(':')
    const suffix = colon === -1 ? '' : place.slice(colon + 1)
    if (suffix === 'ro') {
      if (readonly) throw refuse(`${quote(spec)} has "ro" twice`)
      readonly = true
    } else if (isMode(suffix)) {
      if (mode !== undefined) throw refuse(`${quote(spec)} has more than one of copy, direct and passthrough`)
      mode = suffix
    } else {
      return { place, mode, readonly }
    }
    place = place.slice(0, colon)
  }
}

function isMode(suffix: string): suffix is Mode {
  return Object.hasOwn(modes, suffix)
}

function refuse(problem: string): CliError {
  return usageError(`--bind: expected ${form}, as in ./src:/work/src:copy, but ${problem}.`)
}

function quote(text: string): string {
  return JSON.stringify(text)
}
