import { dirname } from 'node:path/posix'
import type { CommandContext } from '../just-bash.ts'
import { encode } from '../text/bytes.ts'
import { type Answer, type OwnCommand, readInput } from './command.ts'
import { launched, type PythonProgram } from './python-launcher.ts'
import { original } from './wrapper.ts'

/** Options that change nothing here: output comes at the end, and no bytecode is written. */
const NEEDLESS = /^-[uBEsSIOqb]+$/
const TAKES_VALUE: ReadonlySet<string> = new Set(['-W', '-X'])

/** The words behind options that change nothing. */
function behindOptions(args: readonly string[]): readonly string[] {
  const [first = ''] = args
  if (NEEDLESS.test(first)) return behindOptions(args.slice(1))
  return TAKES_VALUE.has(first) ? behindOptions(args.slice(2)) : args
}

/** `python3`, whose program is run as it is. */
async function run(args: readonly string[], context: CommandContext): Promise<Answer> {
  const words = behindOptions(args)
  const [first, second, ...rest] = words
  if (first === '-c' && second !== undefined) {
    const source = Buffer.from(encode(second), 'latin1')
    return launch({ source, file: '<string>', argv0: '-c', directory: '' }, rest, context)
  }
  if (first === '-m' && /^[a-zA-Z_][\w.]*$/.test(second ?? '')) {
    const module = second ?? ''
    return launch({ source: { module }, file: '<module>', argv0: '-m', directory: '' }, rest, context)
  }
  if (first === undefined || first === '-') return runInput(words, context)
  return first.startsWith('-') ? original('python3', words, context) : runFile(first, words, context)
}

async function runInput(words: readonly string[], context: CommandContext): Promise<Answer> {
  const input = String(context.stdin)
  if (input.trim() === '') return original('python3', words, context)
  const [argv0 = '', ...rest] = words
  const program = { source: Buffer.from(input, 'latin1'), file: '<stdin>', argv0, directory: '' }
  return launch(program, rest, context)
}

async function runFile(name: string, words: readonly string[], context: CommandContext): Promise<Answer> {
  let text: string
  try {
    text = await readInput(name, context)
  } catch {
    // It says why.
    return original('python3', words, context)
  }
  const path = context.fs.resolvePath(context.cwd, name)
  const program = { source: Buffer.from(text, 'latin1'), file: path, argv0: name, directory: dirname(path) }
  return launch(program, words.slice(1), context)
}

function launch(program: PythonProgram, rest: readonly string[], context: CommandContext): Promise<Answer> {
  return original('python3', ['-c', launched(program), ...rest], context)
}

/** Commands of sandboxes with python. */
export const PYTHON: readonly OwnCommand[] = ['python3', 'python'].map((name) => ({ name, run }))
