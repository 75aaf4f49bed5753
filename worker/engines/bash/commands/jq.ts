import type { JqRequest } from '../jq/run.ts'
import type { Json } from '../jq/values.ts'
import type { CommandContext } from '../just-bash.ts'
import { decode, encode } from '../text/bytes.ts'
import { type Answer, failed, type OwnCommand, readInput, reason } from './command.ts'

/** What the words after `jq` say. */
interface Options {
  readonly flags: Set<string>
  readonly named: Map<string, Json>
  readonly positional: Json[]
  readonly operands: string[]
  indent: string | undefined
}

const LETTERS: Readonly<Record<string, string>> = {
  n: 'null-input',
  r: 'raw-output',
  j: 'join-output',
  a: 'ascii-output',
  s: 'slurp',
  c: 'compact-output',
  S: 'sort-keys',
  e: 'exit-status',
  M: 'monochrome-output',
  C: 'color-output',
  R: 'raw-input',
  f: 'from-file',
  h: 'help',
  V: 'version',
}

const FLAGS = new Set([
  ...Object.values(LETTERS),
  'tab',
  'stream',
  'seq',
  'unbuffered',
  'raw-output0',
  'ascii',
])

/** Options with this many words after them. */
const VALUES: Readonly<Record<string, number>> = { arg: 2, argjson: 2, slurpfile: 2, rawfile: 2, indent: 1 }

class UsageError extends Error {}

async function readWords(args: readonly string[], context: CommandContext): Promise<Options> {
  const { parseJson } = await import('../jq/read-json.ts')
  const found: Options = {
    flags: new Set(),
    named: new Map(),
    positional: [],
    operands: [],
    indent: undefined,
  }
  let [rest, values]: [boolean, 'text' | 'json' | undefined] = [false, undefined]
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? ''
    if (rest || !/^-./.test(word)) {
      const takesProgram = found.operands.length === 0 && !found.flags.has('from-file')
      if (values === undefined || takesProgram) found.operands.push(word)
      else found.positional.push(values === 'json' ? parseJson(word) : word)
    } else if (word === '--') rest = true
    else if (word === '--args') values = 'text'
    else if (word === '--jsonargs') values = 'json'
    else if (word.startsWith('--') && VALUES[word.slice(2)] !== undefined) {
      const count = VALUES[word.slice(2)] ?? 0
      const given = args.slice(at + 1, at + 1 + count)
      if (given.length < count)
        throw new UsageError(`${word} takes ${count} parameter${count > 1 ? 's' : ''}`)
      await setValue(word.slice(2), given, found, context)
      at += count
    } else setFlags(word, found)
  }
  return found
}

function setFlags(word: string, { flags }: Options): void {
  const names = word.startsWith('--')
    ? [word.slice(2)]
    : [...word.slice(1)].map((letter) => LETTERS[letter] ?? letter)
  for (const name of names) {
    if (!FLAGS.has(name)) throw new UsageError(`Unknown arguments: ${word} is not known here`)
    flags.add(name)
  }
}

async function setValue(
  option: string,
  [name = '', text = '']: string[],
  found: Options,
  context: CommandContext,
): Promise<void> {
  const { JsonReader, parseJson } = await import('../jq/read-json.ts')
  if (option === 'indent') {
    if (!/^[0-7]$/.test(name)) throw new UsageError('Cannot indent more than 7 characters')
    found.indent = name === '0' ? '' : ' '.repeat(Number(name))
  } else if (option === 'arg') found.named.set(name, text)
  else if (option === 'argjson') found.named.set(name, parseJson(text))
  else {
    const content = decode(await readInput(text, context))
    if (option === 'rawfile') found.named.set(name, content)
    else {
      const reader = new JsonReader(content)
      const all: Json[] = []
      for (let value = reader.next(); value !== undefined; value = reader.next()) all.push(value)
      found.named.set(name, all)
    }
  }
}

function requestOf(
  { flags, named, positional, indent }: Options,
  program: string,
  input: string,
  context: CommandContext,
): JqRequest {
  const compact = flags.has('compact-output') || indent === ''
  return {
    program,
    input,
    environment: new Map(Object.entries(context.exportedEnv ?? {})),
    variables: new Map<string, Json>([
      [
        'ARGS',
        new Map<string, Json>([
          ['positional', positional],
          ['named', named],
        ]),
      ],
      ...named,
    ]),
    layout: {
      indent: compact ? undefined : flags.has('tab') ? '\t' : (indent ?? '  '),
      sortKeys: flags.has('sort-keys'),
      ascii: flags.has('ascii-output'),
      color: flags.has('color-output') && !flags.has('monochrome-output'),
    },
    nullInput: flags.has('null-input'),
    slurp: flags.has('slurp'),
    rawInput: flags.has('raw-input'),
    stream: flags.has('stream'),
    output: flags.has('raw-output0')
      ? 'nul'
      : flags.has('join-output')
        ? 'joined'
        : flags.has('raw-output')
          ? 'raw'
          : 'json',
    exitStatus: flags.has('exit-status'),
  }
}

/** `jq [options] program [file…]` */
export const jq: OwnCommand = {
  name: 'jq',
  async run(args, context, { stop }): Promise<Answer> {
    const { runJq } = await import('../jq/run.ts')
    let options: Options
    try {
      options = await readWords(args, context)
    } catch (error) {
      return failed('jq', `error: ${error instanceof UsageError ? error.message : reason(error)}`, 2)
    }
    if (options.flags.has('version')) return { stdout: 'jq-1.7.1\n', stderr: '', exitCode: 0 }
    const operands = [...options.operands]
    let program = operands.shift()
    if (program === undefined) return failed('jq', 'error: a program is missing', 2)
    let [input, stderr] = ['', '']
    try {
      if (options.flags.has('from-file')) program = decode(await readInput(program, context))
    } catch (error) {
      return failed('jq', `error: Could not open ${program}: ${reason(error)}`, 2)
    }
    for (const path of operands.length === 0 ? [undefined] : operands)
      try {
        if (path !== undefined || !options.flags.has('null-input') || /\binputs?\b/.test(program))
          input += decode(await readInput(path, context))
      } catch (error) {
        stderr += `jq: error: Could not open ${path}: ${reason(error)}\n`
      }
    const result = runJq(requestOf(options, program, input, context), () => stop.step())
    return {
      stdout: encode(result.stdout),
      stderr: stderr + result.stderr,
      exitCode: result.exitCode === 0 && stderr !== '' ? 2 : result.exitCode,
      stdoutKind: 'bytes',
    }
  },
}
