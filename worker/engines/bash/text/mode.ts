/** What a mode is changed of. */
export interface Changed {
  /** Its bits before. */
  readonly mode: number
  readonly isDirectory: boolean
  /** Bits that a change without `u`, `g`, `o` or `a` leaves. */
  readonly umask: number
}

const WHO: Readonly<Record<string, number>> = { u: 0o4700, g: 0o2070, o: 0o1007, a: 0o7777 }
const WHAT: Readonly<Record<string, number>> = { r: 0o444, w: 0o222, x: 0o111, s: 0o6000, t: 0o1000 }

/** `755`, `u+x,go-w`, `g=u`, `a+X`: the mode that such a text makes of another one. Undefined where it is none. */
export function changedMode(text: string, { mode, isDirectory, umask }: Changed): number | undefined {
  if (/^[0-7]{1,5}$/.test(text)) {
    const bits = Number.parseInt(text, 8)
    return bits > 0o7777 ? undefined : bits
  }
  let changed = mode
  for (const clause of text.split(',')) {
    const [, who = '', actions] = /^([ugoa]*)((?:[-+=](?:[rwxXst]*|[ugo]))+)$/.exec(clause) ?? []
    if (actions === undefined) return undefined
    const all = [...(who === '' ? 'a' : who)].reduce((bits, letter) => bits | (WHO[letter] ?? 0), 0)
    const mask = who === '' ? all & ~umask : all
    for (const [, sign, what = ''] of actions.matchAll(/([-+=])([rwxXstugo]*)/g)) {
      const bits = bitsOf(what, changed, isDirectory) & mask
      if (sign === '-') changed &= ~bits
      else changed = (sign === '=' ? changed & ~(isDirectory ? all & 0o1777 : all) : changed) | bits
    }
  }
  return changed
}

function bitsOf(what: string, mode: number, isDirectory: boolean): number {
  const shift = { u: 6, g: 3, o: 0 }[what]
  if (shift !== undefined) return ((mode >> shift) & 7) * 0o111
  return [...what].reduce((bits, letter) => {
    const isX = letter === 'X' && (isDirectory || (mode & 0o111) !== 0)
    return bits | (isX ? 0o111 : (WHAT[letter] ?? 0))
  }, 0)
}
