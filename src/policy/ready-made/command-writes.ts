import type { AnalyzedCommand } from '../analysis.ts'
import { protectedReason } from './file-writes.ts'
import { baseName } from './names.ts'
import { shown } from './opaque-reason.ts'
import { resolved } from './paths.ts'
import { unknownPlace, type WritePlace } from './write-place.ts'

type Argument = string | undefined

/** Why a command may not run; undefined where it writes nothing that is protected. */
type Rule = (args: readonly Argument[], command: AnalyzedCommand, place: WritePlace) => string | undefined

/** Why a command of Strands Shell or a jail may not run: only those run of which it is known what they write. */
export function refuseWriter(command: AnalyzedCommand, place: WritePlace): string | undefined {
  const name = baseName(command.name ?? '')
  const rule = RULES.get(name)
  if (rule !== undefined) return rule(command.args, command, place)
  return `${name} may write files in ways that cannot be told from its words. Use commands that read, or redirects with absolute paths.`
}

/** They write nothing, or what they run is judged by itself. */
const READERS =
  'basename cat comm cut date dirname echo egrep env expr false fgrep grep head hostname id jq ls nl paste printenv printf pwd readlink rev seq sleep stat tac tail test [ tr true uname wc which whoami xargs builtin command eval exec read sh bash dash trap timeout'.split(
    ' ',
  )

const reads: Rule = () => undefined

/** Only without these options, and without words that may be one. */
function without(options: RegExp): Rule {
  return (args, { text }) => {
    const found = args.find((arg) => arg === undefined || options.test(arg))
    if (found !== undefined) return `${shown(text)}: ${found} may write a file. Leave it out.`
    return args.includes(undefined) ? unknownPlace(shown(text)) : undefined
  }
}

/** Its expressions are looked into by the runtime of Strands Shell, where it is a command of the script itself. */
const sed: Rule = (args, command, place) => {
  if (command.via !== undefined) return `${shown(command.text)}: sed may write files. Run it by itself.`
  if (place.ofMachine && !isPlainSed(args))
    return `${shown(command.text)}: sed of a jail may write files and run commands. Use one s/…/…/ or p.`
  return without(/^-(?!-)\w*[if]|^--(?!quiet$|silent$|regexp-extended$|expression)/)(args, command, place)
}

/** Whether the program is the one expression of `sed` before all files, and only replaces, prints or deletes. */
function isPlainSed(args: readonly Argument[]): boolean {
  const [program, ...files] = args.filter((arg) => arg === undefined || !/^-[nrEsuz]+$/.test(arg))
  return (
    program !== undefined && PLAIN_SED.test(program) && files.every((arg) => arg?.startsWith('-') === false)
  )
}

/** One `s` whose flags write and run nothing, or lines by number that are printed or deleted. */
const PLAIN_SED =
  /^(?:(?:\d+|\$)(?:,(?:\d+|\$))?)?\s*(?:[pdq=]|s([/|,#:])(?:(?!\1)[^\\\n]|\\[^\n])*\1(?:(?!\1)[^\\\n]|\\[^\n])*\1[gpiI\d]*)$/

/** Its second operand is a file that it writes. */
const uniq: Rule = (args, { text }) =>
  args.filter((arg) => arg?.startsWith('-') !== true).length > 1 ||
  (args.length > 1 && args.includes(undefined))
    ? `${shown(text)}: uniq writes its second file. Use a pipe.`
    : undefined

/** All that it names is written, made or removed. */
const writesAll: Rule = (args, command, place) =>
  refuseOptions(args, command) ?? refuseOperands(operandsOf(args), command, place)

/** Its last operand is written. */
const writesLast: Rule = (args, command, place) =>
  refuseOptions(args, command) ?? refuseOperands(operandsOf(args).slice(-1), command, place)

/** Others may name a file, or be none. */
function refuseOptions(args: readonly Argument[], { text }: AnalyzedCommand): string | undefined {
  const found = args.find((arg) => arg?.startsWith('-') === true && !/^-[rRfpadv]+$/.test(arg))
  return found === undefined ? undefined : `${shown(text)}: leave out ${found}, and begin paths with a slash.`
}

function operandsOf(args: readonly Argument[]): readonly Argument[] {
  return args.filter((arg) => arg?.startsWith('-') !== true)
}

function refuseOperands(
  operands: readonly Argument[],
  { text }: AnalyzedCommand,
  { protection, directory }: WritePlace,
): string | undefined {
  for (const arg of operands) {
    const place = arg === undefined ? undefined : resolved(arg, directory)
    if (arg === undefined || place === undefined) return unknownPlace(shown(text))
    if (protection.touches(place)) return protectedReason(arg)
  }
  return undefined
}

const RULES: ReadonlyMap<string, Rule> = new Map([
  ...READERS.map((name) => [name, reads] as const),
  ['sort', without(/^-(?!-)\w*o|^--(?!reverse$|unique$|numeric-sort$|key=|field-separator=)/)],
  ['tree', without(/^-(?!-)\w*o|^--output/)],
  ['find', without(/^-(?:delete|fprint|fprintf|fprint0|fls)$/)],
  ['sed', sed],
  ['uniq', uniq],
  ...['mkdir', 'rm', 'rmdir', 'tee', 'touch', 'mv'].map((name) => [name, writesAll] as const),
  ['cp', writesLast],
])
