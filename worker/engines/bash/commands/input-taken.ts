import type { Bash, CommandContext, ExecResult } from '../just-bash.ts'
import { type Program, programsOf } from '../programs.ts'
import { linesOf } from '../text/lines.ts'
import { INPUT_READERS, type InputTaken, type Reading } from '../transform/shared-input.ts'
import { failed } from './command.ts'
import { amountOf } from './head.ts'

/**
 * Has programs tell how much they take of an input that others read behind them.
 *
 * @throws {TypeError} where this is not the pinned version of just-bash.
 */
export function tellTaken(bash: Bash, taken: InputTaken): void {
  const programs = programsOf(bash)
  for (const name of INPUT_READERS) {
    const program = programs.get(name)
    if (program !== undefined) tells(program, name, taken)
  }
}

function tells(program: Program, name: string, taken: InputTaken): void {
  const { execute, internalOriginalCommand: original } = program
  let asked: (() => void) | undefined
  if (original !== undefined) {
    const { execute: executeOriginal } = original
    original.execute = (args, context) => {
      if (asked !== undefined) watchInput(context, asked)
      return executeOriginal(args, context)
    }
  }
  program.execute = async (args, context) => {
    const { next } = taken
    taken.next = undefined
    if (next?.name !== name) return execute(args, context)
    next.begun = true
    const input = String(context.stdin)
    let reads = false
    asked = () => {
      reads = true
    }
    watchInput(context, asked)
    try {
      const answer = await execute(args, context)
      return reads ? taking(next, args, input, answer) : answer
    } finally {
      asked = undefined
    }
  }
}

function watchInput(context: CommandContext, asked: () => void): void {
  const { stdin } = context
  Object.defineProperty(context, 'stdin', {
    configurable: true,
    enumerable: true,
    get() {
      asked()
      return stdin
    },
  })
}

function taking(reading: Reading, args: readonly string[], text: string, answer: ExecResult): ExecResult {
  const { name, input } = reading
  if (input.leftBy !== undefined && input.leftBy !== reading)
    return failed(name, `it is not known here what ${input.leftBy.name} before it has left of their input`, 2)
  const amount = amountTaken(reading, args, text)
  if (amount === undefined) input.leftBy = reading
  else reading.taken = amount
  return answer
}

/** What a program takes, or undefined where it is not known. */
function amountTaken({ name, input }: Reading, args: readonly string[], text: string): number | undefined {
  const { seekable } = input
  if (name === 'head') {
    const { of, count, except } = amountOf(args)
    if (except) return seekable ? allBut(text, of, count) : text.length
    return of === 'bytes' ? Math.min(count, text.length) : sizeOfLines(text, count, seekable ? 1 : 8192)
  }
  if (name === 'dd') return Math.min(blocks(args), text.length)
  if (name === 'sed') return sedTakes(args, text, seekable)
  if ((name === 'base64' || name === 'paste') && !namesInput(args)) return 0
  // Its commands get the input then.
  if (name === 'xargs' && args.some((arg) => /^(-a|--arg-file)/.test(arg))) return 0
  // It asks for the size.
  if (name === 'wc' && seekable && args.length > 0 && args.every((arg) => /^(-c|--bytes)$/.test(arg)))
    return 0
  const stops = /grep$/.test(name) && args.some((arg) => /^(-\w*m|--max-count)/.test(arg))
  return stops && seekable ? undefined : text.length
}

/** Whether the words name no file, or the input as one. These programs ask for their input always. */
function namesInput(args: readonly string[]): boolean {
  const operands = args.filter((arg, at) => !/^-./.test(arg) && !/^-[a-z]*[wd]$/.test(args[at - 1] ?? ''))
  return operands.length === 0 || operands.includes('-')
}

/** `head -n -2` goes back to the end of what it has printed. */
function allBut(text: string, of: 'bytes' | 'lines', count: number): number {
  if (of === 'bytes') return Math.max(0, text.length - count)
  const lines = linesOf(text)
  return lines.slice(0, Math.max(0, lines.length - count)).join('').length
}

/** What `dd` reads: blocks that are skipped and taken. */
function blocks(args: readonly string[]): number {
  const given = (name: string) => args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1)
  const [count, skip = '0'] = [given('count'), given('skip')]
  const size = given('ibs') ?? given('bs') ?? '512'
  if (count === undefined || [count, skip, size].some((one) => !/^\d+$/.test(one)))
    return Number.POSITIVE_INFINITY
  return Number(size) * (Number(skip) + Number(count))
}

function sedTakes(args: readonly string[], text: string, seekable: boolean): number | undefined {
  const exact = seekable || args.some((arg) => /^(-\w*u|--unbuffered)/.test(arg))
  const [script = ''] = args.filter((arg) => !/^-[nuEr]+$/.test(arg))
  const [, lines] = /^(?:\d+p; ?)?(\d+)q$/.exec(script) ?? []
  if (lines !== undefined) return sizeOfLines(text, Number(lines), exact ? 1 : 4096)
  const stops = args.some((arg) => /(^|[\s\d;{}$/!])[qQ]\s*\d*\s*($|[\s;}])/.test(arg))
  return stops && exact ? undefined : text.length
}

/** The bytes of so many lines. @param block - how many are read at once */
function sizeOfLines(text: string, count: number, block: number): number {
  let at = 0
  for (let lines = 0; lines < count; lines += 1) {
    const end = text.indexOf('\n', at)
    if (end < 0) return text.length
    at = end + 1
  }
  return Math.min(Math.ceil(at / block) * block, text.length)
}
