import { isShell, programAt } from '../program-paths.ts'
import { refuse } from '../refusal.ts'
import type { Rule, Work } from '../work.ts'
import { archives, base64 } from './archives.ts'
import { bracket, test } from './bracket.ts'
import { catVisible } from './cat.ts'
import { cd } from './cd.ts'
import { type CommandRule, type Named, named } from './command.ts'
import { cut } from './cut.ts'
import { date } from './date.ts'
import { echo } from './echo.ts'
import { alone, find } from './find.ts'
import { declaration, foreign, listing, unsetting } from './foreign.ts'
import { getopts } from './getopts.ts'
import { grep, grepOfMore, grepWith } from './grep.ts'
import { innerShell } from './inner-shell.ts'
import { jq } from './jq.ts'
import { mv } from './mv.ts'
import { nestedIn, replacedBy } from './nested.ts'
import { chmod, headOrTail, ln, mkdir, readlink, rmdir, sort, uniq } from './options.ts'
import { basename, dirname, ls, timeout, wc, which } from './others.ts'
import { ownOptions } from './own-options.ts'
import { printf } from './printf.ts'
import { program } from './programs.ts'
import { read } from './read.ts'
import { sed, sedOfMore } from './sed.ts'
import { refuseCall, set } from './set.ts'
import { tee } from './tee.ts'
import { tr } from './tr.ts'
import { command, hash, type } from './type.ts'

/** Programs that the engine lacks, or whose own are others, and that are the same wherever they are called. */
const ADDED = 'awk cmp column cp diff fold md5sum mktemp od realpath sha1sum sha256sum shuf split xxd'.split(
  ' ',
)

const ARCHIVES = [
  ...['gunzip', 'gzip', 'tar', 'zcat'].map((name) => [name, archives] as const),
  ['base64', base64] as const,
]

const COMMANDS: ReadonlyMap<string, CommandRule> = new Map([
  ['basename', basename],
  ['cat', catVisible],
  ['cd', cd],
  ['comm', program()],
  ['command', command],
  ['cut', cut],
  ['date', date],
  ['dirname', dirname],
  ['echo', echo],
  ['egrep', grepWith('-E')],
  ['expr', program()],
  ['fgrep', grepWith('-F')],
  ['find', find],
  ['getopts', getopts],
  ['grep', grep],
  ['hash', hash],
  ['head', headOrTail],
  ['jq', jq],
  ['mv', mv],
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
  ['type', type],
  ['set', set],
  ['sort', sort],
  ['stat', program()],
  ['timeout', timeout],
  ['tr', tr],
  ['uniq', uniq],
  ['wc', wc],
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
  ['chmod', chmod],
  ['ln', ln],
  ['env', ownOptions],
  ['export', listing],
  ['readonly', listing],
  ['unset', unsetting],
  ['[', bracket],
  ['test', test],
  ['mkdir', mkdir],
  ['readlink', readlink],
  ['rm', ownOptions],
  ['rmdir', rmdir],
  ['tee', tee],
  ['touch', ownOptions],
  ['xargs', program()],
  ...ADDED.map((name) => [name, program()] as const),
  ...ARCHIVES,
])

/** Programs of the engine that `find` can run. */
const ENGINE: ReadonlySet<string> = new Set(
  'basename cat chmod cp curl cut date dirname echo env false find grep head jq ln ls lua mkdir mktemp mv printf pwd readlink rm rmdir sed sleep sort tail tee test [ touch tr true uniq wc xargs'.split(
    ' ',
  ),
)

/** Rules of commands that another program runs: of others the engine's own are right, or nothing is known. */
const NESTED: ReadonlyMap<string, CommandRule> = new Map([
  ...[
    'basename',
    'comm',
    'cut',
    'expr',
    'head',
    'id',
    'jq',
    'ls',
    'mv',
    'nl',
    'paste',
    'rev',
    'seq',
    'stat',
    'tac',
    'tail',
    'tr',
    'tree',
    'uniq',
    'wc',
    ...ADDED,
  ].map((name) => [name, program()] as const),
  ...ARCHIVES,
  ['cat', program('cat-visible')],
  ['chmod', chmod],
  ['ln', ln],
  ['mkdir', mkdir],
  ['readlink', readlink],
  ['rm', ownOptions],
  ['rmdir', rmdir],
  ['tee', tee],
  ['touch', ownOptions],
  ['egrep', grepWith('-E')],
  ['fgrep', grepWith('-F')],
  ['grep', grepOfMore],
  ['sed', sedOfMore],
  ['sort', sort],
])

/** Rules that put a program of ours in the place of a command, whatever its words are. */
const OURS: ReadonlyMap<string, CommandRule> = new Map([
  ...[
    'comm',
    'cut',
    'expr',
    'find',
    'grep',
    'head',
    'id',
    'ls',
    'mv',
    'nl',
    'paste',
    'rev',
    'sed',
    'seq',
    'sort',
    'stat',
    'tac',
    'tail',
    'tr',
    'tree',
    'uniq',
    'wc',
    ...ADDED,
  ].map((name) => [name, program()] as const),
  ...ARCHIVES,
  ['cat', program('cat-visible')],
  ['egrep', grepWith('-E')],
  ['fgrep', grepWith('-F')],
])

/** Rewrites a command whose options the engine lacks, or which it lacks itself. */
export const commandOptions: Rule<'Command'> = (node, work, place) => {
  const command = named(node)
  if (command === undefined) return
  if (passedBy(command, work)) return
  if (work.facts.functions.has(command.name)) {
    refuseCall(command, work, place)
    return
  }
  COMMANDS.get(command.name)?.(command, work, place)
  for (const one of nestedIn(command)) nested(one, command, work)
}

/** `/bin/C` and `command C` where C is a function: in the engine both are the function, and a program of ours is not. */
function passedBy(command: Named, work: Work): boolean {
  const [first] = command.words
  const isPath = programAt(command.name) !== undefined
  const name = isPath ? programAt(command.name) : command.name === 'command' ? command.literals[0] : undefined
  if (name === undefined || !work.facts.functions.has(name)) return false
  const nameWord = isPath ? command.nameWord : first
  const rule = OURS.get(name)
  if (nameWord === undefined || rule === undefined)
    refuse(`the program ${name} beside a function of this name`, 'give the function another name')
  const at = isPath ? 0 : 1
  if (!isPath) work.script.replace({ pos: command.nameWord.pos, end: nameWord.pos }, '')
  const [words, literals] = [command.words.slice(at), command.literals.slice(at)]
  rule({ node: command.node, nameWord, name, words, literals }, work)
  return true
}

/** Rewrites a command that `xargs` or `find` runs. What neither the engine nor a program of ours has is refused. */
function nested(inner: Named, by: Named, work: Work): void {
  const program = programAt(inner.name)
  if (program !== undefined) work.script.replace(inner.nameWord, program)
  const one = program === undefined ? inner : { ...inner, name: program }
  if (isShell(one.name)) {
    if (by.name === 'find') alone(by)
    innerShell(one, by.name, by.name === 'find' ? '{}' : replacedBy(by), work)
    return
  }
  if (one.name.includes('/') || one.name === '{}')
    refuse(`${one.name} as a command of ${by.name}`, 'use a loop: while read -r x; do …; done')
  const rule = NESTED.get(one.name)
  if (rule !== undefined) rule(one, work)
  else if (by.name === 'find' && !ENGINE.has(one.name)) refuse(`${one.name} in find -exec`)
}
