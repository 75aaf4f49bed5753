import { isEndless, ZEROS } from '../files/devices.ts'
import type { CommandContext } from '../just-bash.ts'
import { linesOf } from '../text/lines.ts'
import { type Answer, bytes, failed, type OwnCommand, readInput, reason } from './command.ts'
import { original } from './wrapper.ts'

const SUFFIXES: Readonly<Record<string, number>> = {
  '': 1,
  b: 512,
  k: 1024,
  K: 1024,
  kB: 1000,
  M: 1024 ** 2,
  MB: 1e6,
}

/** What is asked for: `-c 10k` is 10,240 bytes, `-5` five lines, `-n -2` all lines except two. */
interface Amount {
  readonly of: 'bytes' | 'lines'
  readonly count: number
  readonly except: boolean
}

export function amountOf(args: readonly string[]): Amount {
  const match = /(?:^|\s)(?:-(c|n)\s*|--(bytes|lines)[= ]|-)(-?)\+?(\d+)([a-zA-Z]*)(?:\s|$)/.exec(
    args.join(' '),
  )
  if (match === null) return { of: 'lines', count: 10, except: false }
  const count = Number(match[4]) * (SUFFIXES[match[5] ?? ''] ?? 1)
  const of = match[1] === 'c' || match[2] === 'bytes' ? 'bytes' : 'lines'
  return { of, count, except: match[3] === '-' }
}

/** `head -n +2`, bytes of devices that have no end, and a message where input without end was cut too early. */
export const head: OwnCommand = {
  name: 'head',
  async run(args, context, { files, programs }) {
    const words = args
      .flatMap((arg) => {
        const [, before, amount] = /^-([qv]+)([nc].*)$/.exec(arg) ?? []
        return amount === undefined ? [arg] : [`-${before}`, `-${amount}`]
      })
      .map((arg) => arg.replace(/^\+(\d+)$/, '$1').replace(/^(-[nc])\+/, '$1'))
    const device = words.find((word) => isEndless(word))
    const amount = amountOf(words.filter((word) => word !== device))
    if (device !== undefined && amount.of === 'bytes') return fromDevice(device, amount.count, context)
    const readsInput = !words.some((word, at) => word !== '-' && isPath(word, words[at - 1]))
    if (files.endlessCut && readsInput) {
      if (isShort(String(context.stdin), amount))
        return failed('head', `${amount.count} ${amount.of} of input without end are more than fit here`)
      files.endlessCut = false
    }
    if (readsInput && leavesUnread(String(context.stdin), amount)) programs.readers.unread = true
    const except = /^(?:-n ?|--lines=)-(\d+)$/.exec(
      words.filter((word, at) => !isPath(word, words[at - 1])).join(' '),
    )
    if (except !== null)
      return allBut(
        Number(except[1]),
        words.filter((word, at) => isPath(word, words[at - 1])),
        context,
      )
    return original('head', words, context)
  },
}

const isPath = (word: string, before = '') =>
  (!/^[-+]./.test(word) || word === '-') && !/^-[nc]$/.test(before)

/** `head -n -2`: all lines but the last two. */
async function allBut(count: number, paths: readonly string[], context: CommandContext): Promise<Answer> {
  if (paths.length > 1) return failed('head', 'a negative count takes one file here')
  try {
    const lines = linesOf(await readInput(paths[0], context))
    return bytes(lines.slice(0, Math.max(0, lines.length - count)).join(''))
  } catch (error) {
    return failed('head', `cannot open '${paths[0]}' for reading: ${reason(error)}`)
  }
}

/** What a pipe holds. A writer that has more to write ends by a signal when its reader does. */
const PIPE = 65_536

function leavesUnread(input: string, { of, count }: Amount): boolean {
  if (input.length <= PIPE) return false
  if (of === 'bytes') return input.length - count > PIPE
  let at = 0
  for (let lines = 0; lines < count; lines += 1) {
    at = input.indexOf('\n', at) + 1
    if (at === 0) return false
  }
  return input.length - at > PIPE
}

function isShort(input: string, { of, count }: Amount): boolean {
  if (of === 'bytes') return input.length < count
  let lines = 0
  for (let at = input.indexOf('\n'); at >= 0 && lines < count; at = input.indexOf('\n', at + 1)) lines += 1
  return lines < count
}

function fromDevice(path: string, size: number, { limits }: CommandContext) {
  if (size > limits.maxStringLength) return failed('head', `${size} bytes are more than fit here`)
  return bytes(path === ZEROS ? '\0'.repeat(size) : randomBytes(size))
}

function randomBytes(size: number): string {
  const buffer = Buffer.alloc(size)
  for (let at = 0; at < size; at += 65536) crypto.getRandomValues(buffer.subarray(at, at + 65536))
  return buffer.toString('latin1')
}
