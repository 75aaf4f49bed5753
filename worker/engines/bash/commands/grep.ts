import { type Answer, failed, type OwnCommand } from './command.ts'
import { basicToExtended, wordEdges } from './regex-dialect.ts'
import { isAnswer, rewriting } from './wrapper.ts'

const WITH_VALUE = 'efmABCdD'

interface GrepWords {
  readonly options: string[]
  readonly patterns: string[]
  readonly operands: string[]
  readonly letters: Set<string>
}

function read(args: readonly string[]): GrepWords {
  const found: GrepWords = { options: [], patterns: [], operands: [], letters: new Set() }
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? ''
    if (arg === '--') {
      found.operands.push(...args.slice(at + 1))
      break
    }
    if (!arg.startsWith('-') || arg === '-') found.operands.push(arg)
    else if (arg.startsWith('--')) {
      const long = /^--(regexp|extended-regexp|fixed-strings|perl-regexp|basic-regexp)(?:=(.*))?$/s.exec(arg)
      if (long?.[1] === 'regexp') {
        if (long[2] === undefined) at += 1
        found.patterns.push(long[2] ?? args[at] ?? '')
      } else if (long !== null)
        found.letters.add({ e: 'E', f: 'F', p: 'P', b: 'G' }[long[1]?.[0] ?? 'b'] ?? 'G')
      else if (!/^--(colou?r|line-buffered|binary-files)/.test(arg)) found.options.push(arg)
    } else at = readLetters(arg, args, at, found)
  }
  return found
}

function readLetters(arg: string, args: readonly string[], from: number, found: GrepWords): number {
  let at = from
  for (let index = 1; index < arg.length; index += 1) {
    const letter = arg[index] ?? ''
    if (/\d/.test(letter)) {
      found.options.push('-C', arg.slice(index))
      break
    }
    if (!WITH_VALUE.includes(letter)) {
      if ('EFPG'.includes(letter)) found.letters.add(letter)
      else if (!'IaU'.includes(letter)) found.options.push(`-${letter}`)
      continue
    }
    let value = arg.slice(index + 1)
    if (value === '') {
      at += 1
      value = args[at] ?? ''
    }
    if (letter === 'e') found.patterns.push(value)
    else found.options.push(`-${letter}`, value)
    break
  }
  return at
}

/** Words for just-bash: extended expressions with `\b`, and no option that it lacks. */
function words(args: readonly string[], extended: boolean): readonly string[] | Answer {
  const { options, patterns, operands, letters } = read(args)
  const fromFile = options.includes('-f')
  const given = patterns.length > 0 || fromFile ? patterns : operands.splice(0, 1)
  if (letters.has('F') || letters.has('P')) {
    if (given.length > 1) return failed('grep', 'more than one -e with -F or -P is not known here', 2)
    const kind = letters.has('F') ? '-F' : '-P'
    return [kind, ...options, ...given.flatMap((pattern) => ['-e', pattern]), '--', ...operands]
  }
  const isExtended = extended || letters.has('E')
  const converted = given.map((pattern) => wordEdges(isExtended ? pattern : basicToExtended(pattern)))
  // just-bash takes the last of several -e.
  const joined = converted.length > 1 ? [converted.map((pattern) => `(${pattern})`).join('|')] : converted
  return ['-E', ...options, ...joined.flatMap((pattern) => ['-e', pattern]), '--', ...operands]
}

export const grep: OwnCommand = rewriting('grep', (args) =>
  args.includes('--help') ? args : words(args, false),
)
export const egrep: OwnCommand = rewriting('egrep', (args) => {
  const rewritten = words(args, true)
  return isAnswer(rewritten) ? rewritten : rewritten.slice(1)
})
