import type { CommandContext } from '../just-bash.ts'
import { decode } from '../text/bytes.ts'
import { type Answer, failed, type OwnCommand, readInput, reason } from './command.ts'
import { runWords } from './run-words.ts'

interface XargsOptions {
  items: number
  lines: number
  replace: string | undefined
  delimiter: string | undefined
  skipEmpty: boolean
  trace: boolean
  file: string | undefined
  /** Characters of a command and its words. */
  size: number
  readonly command: string[]
}

const LONG: Readonly<Record<string, string>> = {
  '--null': '0',
  '--no-run-if-empty': 'r',
  '--verbose': 't',
  '--max-args': 'n',
  '--max-lines': 'L',
  '--max-procs': 'P',
  '--max-chars': 's',
  '--replace': 'I',
  '--delimiter': 'd',
  '--arg-file': 'a',
}

function read(args: readonly string[]): XargsOptions | string {
  const found: XargsOptions = {
    items: Number.POSITIVE_INFINITY,
    lines: Number.POSITIVE_INFINITY,
    replace: undefined,
    delimiter: undefined,
    skipEmpty: false,
    trace: false,
    file: undefined,
    size: Number.POSITIVE_INFINITY,
    command: [],
  }
  const words = [...args]
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '--' || !/^-./.test(word)) {
      found.command.push(...(word === '--' ? [] : [word]), ...words)
      break
    }
    const long = /^(--[a-z-]+)(?:=(.*))?$/s.exec(word)
    const letters = long === null ? word.slice(1) : LONG[long[1] ?? '']
    if (letters === undefined) return `unrecognized option '${word}'`
    for (let at = 0; at < letters.length; at += 1) {
      const letter = letters[at] ?? ''
      const takes = 'nLPsIdaE'.includes(letter)
      const value = takes ? (long?.[2] ?? (letters.slice(at + 1) || (words.shift() ?? ''))) : ''
      const wrong = option(letter, value, found)
      if (wrong !== undefined) return wrong
      if (takes) break
    }
  }
  return found
}

function option(letter: string, value: string, found: XargsOptions): string | undefined {
  if (letter === 'n' || letter === 'L') {
    if (!/^[1-9]\d*$/.test(value)) return `invalid number "${value}" for -${letter} option`
    if (letter === 'n') found.items = Number(value)
    else found.lines = Number(value)
  } else if (letter === 'I' || letter === 'i') found.replace = value || '{}'
  else if (letter === 'd') found.delimiter = escaped(value)
  else if (letter === '0') found.delimiter = '\0'
  else if (letter === 'a') found.file = value
  else if (letter === 'r') found.skipEmpty = true
  else if (letter === 't') found.trace = true
  else if (letter === 's') found.size = Number(value)
  // Commands run one after the other.
  else if (!'Px'.includes(letter)) return `invalid option -- '${letter}'`
  return undefined
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\n': '\n',
  '\\t': '\t',
  '\\0': '\0',
  '\\\\': '\\',
  '\\r': '\r',
}
const escaped = (text: string) => ESCAPES[text] ?? text

/** Words with quotes and backslashes, by line; undefined where a quoted is not closed. */
function quotedLines(input: string): string[][] | undefined {
  const lines: string[][] = []
  for (const line of input.split('\n')) {
    const words: string[] = []
    let rest = line.replace(/^[ \t]+/, '')
    while (rest !== '') {
      const word = /^(?:\\.|"[^"]*"|'[^']*'|[^\s"'\\])+/.exec(rest)?.[0]
      if (word === undefined) return undefined
      words.push(word.replaceAll(/\\(.)|"([^"]*)"|'([^']*)'/g, (_, one, two, three) => one ?? two ?? three))
      rest = rest.slice(word.length)
      if (rest !== '' && !/^[ \t]/.test(rest)) return undefined
      rest = rest.replace(/^[ \t]+/, '')
    }
    if (words.length > 0) lines.push(words)
  }
  return lines
}

/** The words that each call of the command gets, or undefined where a quoted is not closed. */
function batches(input: string, { items, lines, replace, delimiter }: XargsOptions): string[][] | undefined {
  if (delimiter !== undefined) {
    const words = input.split(delimiter)
    if (words.at(-1) === '') words.pop()
    return replace === undefined ? chunks(words, items) : words.map((word) => [word])
  }
  if (replace !== undefined) {
    const texts = input.split('\n').filter((line) => line.trim() !== '')
    const read = texts.map((line) =>
      quotedLines(line.replaceAll(/[ \t]/g, (blank) => `\\${blank}`).replace(/^(?:\\[ \t])+/, '')),
    )
    return read.some((words) => words === undefined) ? undefined : read.map((words) => words?.[0] ?? [''])
  }
  const read = quotedLines(input)
  if (read === undefined || lines === Number.POSITIVE_INFINITY) return read && chunks(read.flat(), items)
  return chunks(read, lines).map((group) => group.flat())
}

function chunks<T>(all: readonly T[], size: number): T[][] {
  const found: T[][] = []
  for (let at = 0; at < all.length; at += size) found.push(all.slice(at, Math.min(all.length, at + size)))
  return found
}

/** Commands of so many characters at most, each with one word at least. */
function sized(words: readonly string[], command: readonly string[], size: number): string[][] {
  const lengthOf = (word: string) => Buffer.byteLength(word) + 1
  const least = command.reduce((sum, word) => sum + lengthOf(word), 0)
  const calls: string[][] = []
  let length = 0
  for (const word of words) {
    const last = calls.at(-1)
    length += lengthOf(word)
    if (last !== undefined && length <= size) last.push(word)
    else {
      calls.push([...command, word])
      length = least + lengthOf(word)
    }
  }
  return calls
}

/** `xargs`: with `-I` a line is one word; without input the command runs once. */
export const xargs: OwnCommand = {
  name: 'xargs',
  async run(args, context) {
    const options = read(args)
    if (typeof options === 'string') return failed('xargs', options)
    let input: string
    try {
      input = decode(await readInput(options.file, context))
    } catch (error) {
      return failed('xargs', `Cannot open input file '${options.file}': ${reason(error)}`)
    }
    const found = batches(input, options)
    if (found === undefined)
      return failed(
        'xargs',
        `unmatched ${/^(?:[^'"]|'[^']*'|"[^"]*")*'/s.test(input) ? 'single' : 'double'} quote; by default quotes are special to xargs unless you use the -0 option`,
      )
    const command = options.command.length === 0 ? ['echo'] : options.command
    const { replace } = options
    const calls =
      replace === undefined
        ? found.flatMap((words) => sized(words, command, options.size))
        : found.map(([line = '']) => command.map((word) => word.replaceAll(replace, () => line)))
    if (calls.length === 0 && !options.skipEmpty && replace === undefined) calls.push([...command])
    return runAll(calls, options, context)
  },
}

/** What is told of a command: one that is not found has no message of a shell. */
function told(name: string, { exitCode, stderr }: Answer): string {
  if (exitCode === 255) return `${stderr}xargs: ${name}: exited with status 255; aborting\n`
  return stderr === `bash: ${name}: command not found\n`
    ? `xargs: ${name}: No such file or directory\n`
    : stderr
}

async function runAll(
  calls: readonly string[][],
  options: XargsOptions,
  context: CommandContext,
): Promise<Answer> {
  const all = { stdout: '', stderr: '', exitCode: 0 }
  for (const words of calls) {
    if (options.trace) all.stderr += `${words.join(' ')}\n`
    // With -a the command keeps stdin.
    const stdin = options.file === undefined ? { stdin: '' } : {}
    const answer = await runWords('xargs', words, context, stdin)
    all.stdout += answer.stdout
    all.stderr += told(words[0] ?? '', answer)
    if (answer.exitCode === 126 || answer.exitCode === 127 || answer.exitCode === 255) {
      all.exitCode = answer.exitCode === 255 ? 124 : answer.exitCode
      break
    }
    if (answer.exitCode !== 0) all.exitCode = 123
  }
  return all
}
