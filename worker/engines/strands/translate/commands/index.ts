import type { Rule } from '../work.ts'
import { catVisible } from './cat.ts'
import { type CommandRule, named } from './command.ts'
import { date } from './date.ts'
import { echo } from './echo.ts'
import { find } from './find.ts'
import { declaration, foreign } from './foreign.ts'
import { copyOrMove, grep, headOrTail, sed, sort } from './options.ts'
import { ls, printf, timeout, which } from './others.ts'
import { program } from './programs.ts'
import { read } from './read.ts'
import { set } from './set.ts'

const COMMANDS: ReadonlyMap<string, CommandRule> = new Map([
  ['cat', catVisible],
  ['comm', program()],
  ['cp', copyOrMove],
  ['date', date],
  ['echo', echo],
  ['expr', program()],
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

/** Rewrites a command whose options the engine lacks, or which it lacks itself. */
export const commandOptions: Rule<'Command'> = (node, work) => {
  const command = named(node)
  if (command !== undefined && !work.facts.functions.has(command.name))
    COMMANDS.get(command.name)?.(command, work)
}
