import type { Effects } from './effects.ts'
import { NONE, WRITES_AND_RENAMES } from './effects.ts'
import type { Operand } from './scan-word.ts'
import { UNSEEN } from './scan-word.ts'

/** Commands that only read, whatever their arguments are. */
export const READERS: ReadonlySet<string> = new Set(
  'basename cat cut date dirname echo grep head jq ls readlink tail tr wc'.split(' '),
)

/** Options of `find` that neither write nor run anything. */
const PREDICATES: ReadonlySet<string> = new Set(
  (
    '-name -iname -path -ipath -wholename -regex -iregex -type -maxdepth -mindepth -depth -empty -size -mtime ' +
    '-mmin -newer -perm -user -group -print -print0 -ls -prune -o -a -or -and -not'
  ).split(' '),
)

/** `find`: without `-exec`, or with one that runs a reading command. The command runs in a shell of its own. */
export function find(words: readonly Operand[]): Effects {
  const exec = indexOf(words, '-exec')
  const own = words.slice(0, exec)
  if (!own.every(isHarmless)) return WRITES_AND_RENAMES
  const [command, ...rest] = words.slice(exec + 1)
  if (command === undefined) return NONE
  const end = Math.min(indexOf(rest, ';'), indexOf(rest, '+'))
  const reads = command.value !== null && READERS.has(command.value)
  // The engine accepts these two options anywhere, together with the word after them.
  const passed = rest
    .slice(0, end)
    .every(({ value, inert }) => inert || !/^-m..depth$/.test(value ?? '-maxdepth'))
  return reads && passed && rest.slice(end + 1).every(isHarmless) ? NONE : WRITES_AND_RENAMES
}

function isHarmless({ value, inert }: Operand): boolean {
  return inert || (value !== null && PREDICATES.has(value))
}

/** The index of a literal word, or the number of words. */
function indexOf(words: readonly Operand[], literal: string): number {
  const index = words.findIndex(({ value }) => value === literal)
  return index < 0 ? words.length : index
}

/** `xargs`: with a reading command. It accepts its own options anywhere among its words. */
export function xargs(words: readonly Operand[]): Effects {
  let command: string | null = null
  let replaced: string | null = null
  for (let at = 0; at < words.length; at++) {
    const { value, inert } = words[at] ?? UNSEEN
    if (value === '-0') continue
    if (value === '-n' || value === '-d' || value === '-I') {
      const argument = words[++at]?.value ?? null
      if (argument === null || argument === '') return WRITES_AND_RENAMES
      if (value === '-I') replaced = argument
    } else if (command === null) {
      if (value === null || !READERS.has(value)) return WRITES_AND_RENAMES
      command = value
    } else if (value === null && !inert) return WRITES_AND_RENAMES
  }
  const renamed = command !== null && replaced !== null && command.includes(replaced)
  return renamed ? WRITES_AND_RENAMES : NONE
}
