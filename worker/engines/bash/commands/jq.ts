import { type Answer, failed, type OwnCommand, withStdout } from './command.ts'
import { isAnswer, original } from './wrapper.ts'

const CSV =
  '(map(if type=="string" then "\\""+gsub("\\"";"\\"\\"")+"\\"" elif .==null then "" else tostring end)|join(","))'

/** Options with this many words after them. */
const VALUES: Readonly<Record<string, number>> = {
  '--arg': 2,
  '--argjson': 2,
  '--slurpfile': 2,
  '--rawfile': 2,
  '--indent': 1,
  '-f': 1,
  '--from-file': 1,
  '-L': 1,
}

function programIndex(args: readonly string[]): number {
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? ''
    if (VALUES[arg] !== undefined) at += VALUES[arg]
    else if (!arg.startsWith('-') || arg === '-') return at
  }
  return -1
}

const isNull = (args: readonly string[]) =>
  args.some((arg) => arg === '--null-input' || /^-[a-zA-Z]*n/.test(arg))

/** just-bash sorts strings as a language does; jq sorts by code points. Its `to_entries` of an array is null. */
const SORTS: Readonly<Record<string, string>> = {
  sort: '(if all(.[]; type=="string") then map(explode)|sort|map(implode) else sort end)',
  unique: '(if all(.[]; type=="string") then map(explode)|unique|map(implode) else unique end)',
  to_entries: '(if type=="array" then [keys[] as $k | {key: $k, value: .[$k]}] else to_entries end)',
  keys: '(if type=="object" then keys|map(explode)|sort|map(implode) else keys end)',
}

/** `group_by(f)` as `(sort_by(f)|group_by(f))`: just-bash keeps groups in the order they come. */
function sortGroups(program: string): string {
  const at = program.search(/\bgroup_by\s*\(/)
  if (at < 0) return program
  const open = program.indexOf('(', at)
  let depth = 0
  for (let end = open; end < program.length; end += 1) {
    const string = /^"(?:\\.|[^"\\])*"/.exec(program.slice(end))
    if (string !== null) end += string[0].length - 1
    else if (program[end] === '(') depth += 1
    else if (program[end] === ')') depth -= 1
    if (depth > 0) continue
    const key = program.slice(open, end + 1)
    return `${program.slice(0, at)}(sort_by${key}|group_by${key})${sortGroups(program.slice(end + 1))}`
  }
  return program
}

/** `input` and `inputs` as elements of the slurped input; strings in a program are left alone. */
function rewriteProgram(program: string, nullInput: boolean): { program: string; slurp: boolean } {
  let taken = nullInput ? 0 : 1
  let slurp = false
  const pieces = /#[^\n]*|"(?:\\.|[^"\\])*"|[$.]?\b\w+\b(?!\s*:(?!:))|@csv(?!\s*")/g
  const text = program.replaceAll(pieces, (piece) => {
    if (piece === '@csv') return CSV
    if (Object.hasOwn(SORTS, piece)) return SORTS[piece] ?? piece
    if (piece === 'input') {
      slurp = true
      taken += 1
      return `$__all[${taken - 1}]`
    }
    if (piece !== 'inputs') return piece
    slurp = true
    return `$__all[${taken}:][]`
  })
  const body = slurp ? `. as $__all | ${nullInput ? 'null' : '$__all[0]'} | ${text}` : text
  return { program: body, slurp }
}

/** Names that a program may use without binding them. */
const GIVEN = new Set(['ENV', 'ARGS', '__loc__', '__prog_args', '__all'])

/** The first variable that nothing binds: just-bash takes it for null. */
function unbound(program: string, args: readonly string[]): string | undefined {
  const names = (text: string) => [...text.matchAll(/\$(\w+)/g)].map(([, name]) => name ?? '')
  const bound = new Set(GIVEN)
  for (const [at, arg] of args.entries())
    if (/^--(arg|argjson|slurpfile|rawfile)$/.test(arg)) bound.add(args[at + 1] ?? '')
  for (const [, pattern] of program.matchAll(/\bas\b([^|(]*)/g))
    for (const name of names(pattern ?? '')) bound.add(name)
  for (const [, words] of program.matchAll(/\bdef\s+\w+\s*\(([^)]*)\)/g))
    for (const name of names(words ?? '')) bound.add(name)
  const code = program.replaceAll(/#[^\n]*/g, '')
  return names(code).find((name) => !bound.has(name))
}

/** `def f(g): map(g)`: just-bash evaluates `g` once, where `f` is called. */
function appliesArgument(program: string): boolean {
  const parameters = [...program.matchAll(/\bdef\s+\w+\s*\(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(';'),
  )
  return parameters
    .map((name) => name.trim())
    .some(
      (name) =>
        /^\w+$/.test(name) &&
        new RegExp(
          `\\b(?:map|map_values|select|sort_by|group_by|any|all|recurse|walk|with_entries)\\(\\s*${name}\\s*[|)=]`,
        ).test(program.replaceAll(/\bdef\s+\w+\s*\([^)]*\)/g, '')),
    )
}

/** just-bash ends with 5 where a program does not compile. */
const COMPILE = /^jq: (?:error: Unknown function|parse error: (?:Unexpected token [A-Z_]+|Expected [A-Z_]+))/m

function withStatus(answer: Answer, args: readonly string[]): Answer {
  if (answer.exitCode === 5 && COMPILE.test(answer.stderr)) return { ...answer, exitCode: 3 }
  const strict = args.some((arg) => arg === '--exit-status' || /^-[a-zA-Z]*e/.test(arg))
  if (strict && answer.exitCode === 1 && answer.stdout === '' && answer.stderr === '')
    return { ...answer, exitCode: 4 }
  return answer
}

function rewrite(args: readonly string[]): readonly string[] | Answer {
  const at = programIndex(args)
  const given = args[at]
  if (given === undefined) return args
  const missing = args.some((arg) => /^(-f|--from-file|-L|--args|--jsonargs)$/.test(arg))
    ? undefined
    : unbound(given, args)
  if (appliesArgument(given))
    return failed('jq', 'a function that applies a filter it is given is not known here', 3)
  // just-bash gives the input back unchanged.
  if (/\bwalk\s*\(/.test(given.replaceAll(/"(?:\\.|[^"\\])*"|#[^\n]*/g, '')))
    return failed('jq', 'walk() is not known here; use a path such as (.. | numbers) |= f', 3)
  if (missing !== undefined) return failed('jq', `error: $${missing} is not defined`, 3)
  if (!/\b(?:inputs?|sort|group_by|unique|keys|to_entries)\b|@csv/.test(given)) return args
  const { program, slurp } = rewriteProgram(sortGroups(given), isNull(args))
  const words = args.map((arg, index) => (index === at ? program : arg))
  if (!slurp) return words
  const kept = words
    .filter((word) => word !== '--null-input')
    .map((word, index) =>
      index !== at && /^-[a-zA-Z]*n[a-zA-Z]*$/.test(word) ? word.replace('n', '') : word,
    )
  return ['-s', ...kept.filter((word) => word !== '-')]
}

const rawOutput = (arg: string) =>
  arg === '--join-output' ? '-r' : /^-[a-zA-Z]*j/.test(arg) ? arg.replace('j', 'r') : arg

/** `jq` with `input`, `@csv` of nulls, variables that must be bound, and the statuses of jq. */
export const jq: OwnCommand = {
  name: 'jq',
  async run(args, context) {
    const joins = args.some((arg) => arg === '--join-output' || /^-[a-zA-Z]*j/.test(arg))
    const words = rewrite(joins ? args.map(rawOutput) : args)
    if (isAnswer(words)) return words
    const answer = withStatus(await original('jq', words, context), args)
    return joins ? withStdout(answer, answer.stdout.replaceAll('\n', '')) : answer
  },
}
