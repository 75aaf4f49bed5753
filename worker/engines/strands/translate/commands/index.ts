import type { Rule } from '../work.ts'
import { catVisible } from './cat.ts'
import { type CommandRule, named } from './command.ts'
import { cut } from './cut.ts'
import { date } from './date.ts'
import { echo } from './echo.ts'
import { find } from './find.ts'
import { declaration, foreign } from './foreign.ts'
import { grep, grepWith } from './grep.ts'
import { nestedIn } from './nested.ts'
import { copyOrMove, headOrTail, sort } from './options.ts'
import { ls, printf, timeout, which } from './others.ts'
import { program } from './programs.ts'
import { read } from './read.ts'
import { sed } from './sed.ts'
import { set } from './set.ts'

const COMMANDS: ReadonlyMap<string, CommandRule> = new Map([
  ['cat', catVisible],
  ['comm', program()],
  ['cp', copyOrMove],
  ['cut', cut],
  ['date', date],
  ['echo', echo],
  ['egrep', grepWith('-E')],
  ['expr', program()],
  ['fgrep', grepWith('-F')],
  ['find', find],
  ['grep', grep],
  ['head', headOrTail],
  ['mv', copyOrMove],
  ['nl', program()],
  ['paste', program()],
  ['read', read],
  ['rev', program()],
  ['sed', sed],
  ['seq', program()],
  ['tac', program()],
  ['tail', headOrTail],
  ['whoami', program()],
  ['hostname', program()],
  ['uname', program()],
  ['id', program()],
  ['printenv', program()],
  ['tree', program()],
  ['set', set],
  ['sort', sort],
  ['stat', program()],
  ['timeout', timeout],
  ['uniq', program()],
  ['wc', program()],
  ['which', which],
  ['ls', ls],
  ['printf', printf],
  ['declare', declaration],
  ['typeset', declaration],
  ['mapfile', foreign],
  ['readarray', foreign],
  ['shopt', foreign],
  ['let', foreign],
  ['disown', foreign],
  ['bg', foreign],
  ['fg', foreign],
  ['jobs', foreign],
  ['xargs', program()],
])

/** Rules of commands that another program runs: of others the engine's own are right, or nothing is known. */
const NESTED: ReadonlyMap<string, CommandRule> = new Map([
  ...['cut', 'head', 'ls', 'nl', 'stat', 'tac', 'tail', 'uniq', 'wc'].map(
    (name) => [name, program()] as const,
  ),
  ['egrep', grepWith('-E')],
  ['fgrep', grepWith('-F')],
  ['grep', program()],
  ['sed', sed],
  ['sort', sort],
])

/** Rewrites a command whose options the engine lacks, or which it lacks itself. */
export const commandOptions: Rule<'Command'> = (node, work) => {
  const command = named(node)
  if (command === undefined || work.facts.functions.has(command.name)) return
  COMMANDS.get(command.name)?.(command, work)
  for (const one of nestedIn(command)) NESTED.get(one.name)?.(one, work)
}
