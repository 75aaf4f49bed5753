import type { CommandContext } from '../just-bash.ts'
import { type Answer, failed, type OwnCommand, withStdout } from './command.ts'
import { basicToExtended, wordEdges } from './regex-dialect.ts'
import { isAnswer, original } from './wrapper.ts'

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

/** Options that just-bash's grep does not have. */
async function run(args: readonly string[], context: CommandContext, extended: boolean): Promise<Answer> {
  const { options, operands, patterns } = read(args)
  const paths = patterns.length > 0 || options.includes('-f') ? operands : operands.slice(1)
  const has = (letter: string, long: string) =>
    options.includes(`-${letter}`) || options.includes(`--${long}`)
  const plain = args.flatMap((arg) => {
    if (/^--(with-filename|files-without-match|no-messages)$/.test(arg)) return []
    if (!/^-[a-zA-Z]+$/.test(arg) || /^-[efmABCdD]/.test(arg)) return [arg]
    const rest = arg.replaceAll(/[HLs]/g, '')
    return rest === '-' ? [] : [rest]
  })
  const rewritten = words(plain, extended)
  if (isAnswer(rewritten)) return rewritten
  const isRecursive = has('r', 'recursive') || has('R', 'dereference-recursive')
  if (has('L', 'files-without-match')) {
    if (isRecursive || paths.length === 0) return failed('grep', '-L takes files here, not -r or stdin', 2)
    const found = await original('grep', ['-l', ...rewritten], context)
    const matched = new Set(found.stdout.split('\n'))
    const without = paths.filter((path) => !matched.has(path))
    return withStdout(
      { ...found, exitCode: without.length > 0 ? 0 : 1 },
      without.map((path) => `${path}\n`).join(''),
    )
  }
  // A second file makes it print names.
  const named = has('H', 'with-filename') && paths.length === 1 && !isRecursive
  const answer = await original('grep', named ? [...rewritten, '/dev/null'] : rewritten, context)
  const heard = has('s', 'no-messages') ? { ...answer, stderr: '' } : answer
  if (named) return withStdout(heard, heard.stdout.replaceAll(/^\/dev\/null:.*\n/gm, ''))
  const isHere = isRecursive && paths.length === 1 && paths[0] === '.' && !has('h', 'no-filename')
  return isHere ? withStdout(heard, heard.stdout.replaceAll(/^(?!--$|\.\/)(?=.)/gm, './')) : heard
}

export const grep: OwnCommand = {
  name: 'grep',
  run: (args, context) =>
    args.includes('--help') ? original('grep', args, context) : run(args, context, false),
}
export const egrep: OwnCommand = { name: 'egrep', run: (args, context) => run(args, context, true) }
