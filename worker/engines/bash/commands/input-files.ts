import { encodingOf } from '../files/mounted-reads.ts'
import type { Bash, CommandContext, IFileSystem } from '../just-bash.ts'
import { type Program, programsOf } from '../programs.ts'
import { textOf } from '../text/bytes.ts'

type ReadOptions = Parameters<IFileSystem['readFile']>[1]

/** Names of the standard input, which the file system has as an empty file or not at all. */
const INPUT = /^\/(?:dev\/stdin|(?:dev|proc\/self)\/fd\/0)$/

/**
 * Gives programs their standard input where a word names it, as in `cat "${1:-/dev/stdin}"`.
 *
 * @throws {TypeError} where this is not the pinned version of just-bash.
 */
export function nameInputs(bash: Bash): void {
  for (const program of programsOf(bash).values()) {
    nameInputOf(program)
    if (program.internalOriginalCommand !== undefined) nameInputOf(program.internalOriginalCommand)
  }
}

function nameInputOf(program: Program): void {
  const { execute } = program
  program.execute = (args, context) =>
    execute(args, args.some((arg) => INPUT.test(arg)) ? withInput(context) : context)
}

function withInput(context: CommandContext): CommandContext {
  const { fs } = context
  const bytes = () => Buffer.from(String(context.stdin), 'latin1')
  const reads: Partial<Record<keyof IFileSystem, (options?: ReadOptions) => Promise<unknown>>> = {
    readFileBuffer: async () => new Uint8Array(bytes()),
    readFileBytes: async () => bytes().toString('latin1'),
    readFile: async (options) => {
      const encoding = encodingOf(options)
      return encoding === 'utf8' ? textOf(bytes()) : bytes().toString(encoding)
    },
  }
  const input = new Proxy(fs, {
    get(target, name: keyof IFileSystem) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return (path: unknown, ...rest: ReadOptions[]) => {
        const isInput = typeof path === 'string' && INPUT.test(path)
        const read = isInput ? reads[name] : undefined
        return read?.(rest[0]) ?? method.call(target, isInput ? '/dev/stdin' : path, ...rest)
      }
    },
  })
  const own = { ...Object.getOwnPropertyDescriptors(context), fs: { value: input, enumerable: true } }
  const copy: CommandContext = Object.create(null, own)
  return copy
}
