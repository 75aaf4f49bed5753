import { AwkError } from '../awk/error.ts'
import { parseAwk } from '../awk/parse.ts'
import { runAwk } from '../awk/run.ts'
import { withoutEscapes } from '../awk/tokens.ts'
import type { CommandContext } from '../just-bash.ts'
import type { Interpreter } from '../session/session.ts'
import { type Answer, failed, type OwnCommand, readInput, reason } from './command.ts'
import { detach } from './wrapper.ts'

interface Words {
  readonly programs: string[]
  readonly assigned: [name: string, text: string][]
  operands: string[]
}

/** Bytes of latin1 as text. */
const decoded = (bytes: string) => Buffer.from(bytes, 'latin1').toString()

/** `-F` as FS has it: `t` is a tab. */
const separator = (text: string) => (text === 't' ? '\t' : withoutEscapes(text))

async function readWords(args: readonly string[], context: CommandContext): Promise<Words | string> {
  const words = detach(args, 'vFf')
  const found: Words = { programs: [], assigned: [], operands: [] }
  while (words.length > 0) {
    const word = words.shift() ?? ''
    const long = /^--(assign|field-separator|file)=(.*)$/s.exec(word)
    const option = long === null ? word : { assign: '-v', 'field-separator': '-F', file: '-f' }[long[1] ?? '']
    if (option === '--') break
    if (option === '-v' || option === '-F' || option === '-f') {
      const value = long?.[2] ?? words.shift()
      if (value === undefined) return `option requires an argument -- '${option.slice(1)}'`
      if (option === '-f') found.programs.push(decoded(await readInput(value, context)))
      else if (option === '-F') found.assigned.push(['FS', separator(value)])
      else {
        const match = /^([A-Za-z_]\w*)=(.*)$/s.exec(value)
        if (match === null) return `\`${value}' argument to \`-v' not in \`var=value' form`
        found.assigned.push([match[1] ?? '', match[2] ?? ''])
      }
    } else if (/^-(?:-re-interval|-posix|-traditional|-lint|P|c|r|W)$/.test(word)) continue
    else if (word.startsWith('-') && word !== '-') return `${word}: such an option is not known here`
    else {
      words.unshift(word)
      break
    }
  }
  if (found.programs.length === 0) {
    const program = words.shift()
    if (program === undefined) return 'usage: awk [-F fs] [-v var=value] [program | -f file] [file ...]'
    found.programs.push(program)
  }
  found.operands = words
  return found
}

async function run(args: readonly string[], context: CommandContext, { stop }: Interpreter): Promise<Answer> {
  const words = await readWords(args, context)
  if (typeof words === 'string') return failed('awk', words, 2)
  const program = parseAwk(words.programs.join('\n'))
  const { fs, cwd, limits, exec } = context
  if (exec === undefined) return failed('awk', 'commands cannot be run here', 2)
  const path = (name: string) => fs.resolvePath(cwd, name)
  return runAwk(program, {
    stdin: decoded(String(context.stdin)),
    assigned: words.assigned,
    operands: words.operands,
    environment: { ...context.exportedEnv },
    bounds: { text: limits.maxStringLength, elements: limits.maxArrayElements },
    step: () => stop.step(),
    async read(name) {
      try {
        return decoded(await readInput(name, context))
      } catch (error) {
        throw new AwkError(`cannot open file \`${name}' for reading: ${reason(error)}`)
      }
    },
    world: {
      read: (name) => readInput(name, context).then(decoded, () => undefined),
      write: (name, text, append) =>
        append ? fs.appendFile(path(name), text) : fs.writeFile(path(name), text),
      run: (command, stdin) =>
        exec(command, {
          cwd,
          env: { ...context.exportedEnv },
          stdin: Buffer.from(stdin).toString('latin1'),
          stdinKind: 'bytes',
          ...(context.signal === undefined ? {} : { signal: context.signal }),
        }),
    },
  })
}

const command = (name: string): OwnCommand => ({
  name,
  async run(args, context, interpreter) {
    try {
      return { ...(await run(args, context, interpreter)), stdoutKind: 'text' }
    } catch (error) {
      if (error instanceof AwkError) return failed('awk', error.message, 2)
      throw error
    }
  },
})

/** awk as POSIX has it, with the functions of gawk that scripts use. */
export const awk = command('awk')
export const gawk = command('gawk')
