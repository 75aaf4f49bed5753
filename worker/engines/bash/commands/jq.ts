import { rewriting } from './wrapper.ts'

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

/** `input` and `inputs` as elements of the slurped input; strings in a program are left alone. */
function rewriteProgram(program: string, nullInput: boolean): { program: string; slurp: boolean } {
  let taken = nullInput ? 0 : 1
  let slurp = false
  const text = program.replaceAll(/#[^\n]*|"(?:\\.|[^"\\])*"|[$.]?\b\w+\b|@csv(?!\s*")/g, (piece) => {
    if (piece === '@csv') return CSV
    if (piece === 'input') {
      slurp = true
      taken += 1
      return `$__all[${taken - 1}]`
    }
    if (piece !== 'inputs') return piece
    slurp = true
    return `$__all[${taken}:][]`
  })
  return { program: slurp ? `. as $__all | ${nullInput ? 'null' : '$__all[0]'} | ${text}` : text, slurp }
}

export const jq = rewriting('jq', (args) => {
  const at = programIndex(args)
  const given = args[at]
  if (given === undefined || !/\binputs?\b|@csv/.test(given)) return args
  const { program, slurp } = rewriteProgram(given, isNull(args))
  const words = args.map((arg, index) => (index === at ? program : arg))
  if (!slurp) return words
  const kept = words
    .filter((word) => word !== '--null-input')
    .map((word, index) =>
      index !== at && /^-[a-zA-Z]*n[a-zA-Z]*$/.test(word) ? word.replace('n', '') : word,
    )
  return ['-s', ...kept.filter((word) => word !== '-')]
})
