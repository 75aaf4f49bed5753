import type { Argument } from '../words.ts'
import type { Context, Runner } from './context.ts'

/** A shell: its script is a word after `-c`, a file, or its standard input. */
const shell: Runner = (args, context) => {
  const operands = operandsOf(args)
  if (operands === undefined) return context.opaque('script')
  const { isCommand, rest } = operands
  const [first] = rest
  if (isCommand) {
    if (first !== undefined) context.script(first.value)
    return
  }
  if (first === undefined || operands.readsInput) return readInput(context)
  context.opaque('file')
}

function readInput({ input, script, opaque }: Context): void {
  if (input.kind === 'text') script(input.text)
  else opaque(input.kind === 'file' ? 'file' : 'script')
}

interface Operands {
  readonly isCommand: boolean
  readonly readsInput: boolean
  readonly rest: readonly Argument[]
}

/** Undefined where an option is not known, or only at run time. */
function operandsOf(args: readonly Argument[]): Operands | undefined {
  let isCommand = false
  let readsInput = false
  let at = 0
  for (; at < args.length; at++) {
    const arg = args[at]
    const value = arg?.value
    if (value === undefined) {
      if (arg === undefined || isCommand || /^[^-+]/.test(arg.prefix)) break
      return undefined
    }
    if (value === '--' || value === '-') {
      at++
      break
    }
    if (!/^[-+]./.test(value)) break
    if (value.startsWith('--')) {
      if (value === '--rcfile' || value === '--init-file') return undefined
      continue
    }
    if (!/^[-+][a-zA-Z]+$/.test(value)) return undefined
    isCommand ||= value.startsWith('-') && value.includes('c')
    readsInput ||= value.startsWith('-') && value.includes('s')
    // The names of options come as the next words.
    at += [...value].filter((letter) => letter === 'o' || letter === 'O').length
  }
  return { isCommand, readsInput, rest: args.slice(at) }
}

/** The program of Strands Shell: it reads its first word as a file, whatever that is. */
const lash: Runner = (_args, { opaque }) => opaque('file')

/** What each of these programs runs. */
export const SHELLS: readonly (readonly [name: string, runner: Runner])[] = [
  ...['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'mksh', 'rbash'].map((name) => [name, shell] as const),
  ['lash', lash],
]
