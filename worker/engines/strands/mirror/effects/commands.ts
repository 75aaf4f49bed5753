import { unnamed } from './definitions.ts'
import type { Effects } from './effects.ts'
import { changesDirectory, NONE, UNKNOWN, WRITES, WRITES_AND_RENAMES } from './effects.ts'
import { env, printf, sort, uniq } from './filters.ts'
import type { Operand } from './scan-word.ts'
import { find, READERS, xargs } from './search.ts'
import { chmod, cp, mkdir, rm, sed, tee, touch } from './writers.ts'

type Judge = (words: readonly Operand[]) => Effects

/** Commands for variables and the status of the shell. They do not change the meaning of command names. */
const SHELL = ': [ break continue exit false pwd read return set shift sleep test true type umask wait'
const GUARDED_TESTS = '__ssr_bracket __ssr_test'
const WRITERS = 'curl mktemp'
/** Their text does not show what they run or change. The engine keeps their definitions out of the session. */
const RUNNERS = 'ln lua mv sh __ssr_lua'

const NAME = /^[A-Za-z_]\w*$/

const JUDGES: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  ...always(NONE, [...READERS, ...SHELL.split(' '), ...GUARDED_TESTS.split(' ')]),
  ...always(WRITES, WRITERS.split(' ')),
  ...always(WRITES_AND_RENAMES, RUNNERS.split(' ')),
  ['cd', ([to]) => changesDirectory(to?.path ?? null)],
  ['chmod', chmod],
  ['cp', cp],
  ['mkdir', mkdir],
  ['rm', rm],
  ['rmdir', rm],
  ['tee', tee],
  ['touch', touch],
  ['find', find],
  ['xargs', xargs],
  ['sort', sort],
  ['uniq', uniq],
  ['sed', sed],
  ['printf', printf],
  ['env', env],
  ['export', declare],
  ['readonly', declare],
  ['local', declare],
  ['unset', unset],
  [
    'command',
    ([first]) => (first?.value === '-v' || first?.value === '-V' ? NONE : unnamed(first?.value ?? null)),
  ],
])

/** The commands whose effects are known while their names mean what they mean at open. */
export const KNOWN_COMMANDS: readonly string[] = [...JUDGES.keys()]

/** What a command of this name does with these words; null: its name is not known. */
export function judgeCommand(name: string | null, words: readonly Operand[]): Effects {
  const judge = name === null ? undefined : JUDGES.get(name)
  return judge === undefined ? unnamed(name) : judge(words)
}

/** Variables by literal names; `-p` lists them. */
function declare(words: readonly Operand[]): Effects {
  return words.every(({ value, assigns }) => assigns || value === '-p' || isName(value)) ? NONE : UNKNOWN
}

/** Variables by literal names: `unset -f` would remove a function. */
function unset(words: readonly Operand[]): Effects {
  return words.every(({ value }) => isName(value)) ? NONE : UNKNOWN
}

function isName(value: string | null): boolean {
  return value !== null && NAME.test(value)
}

function always(effects: Effects, names: readonly string[]): [string, Judge][] {
  return names.map((name) => [name, () => effects])
}
