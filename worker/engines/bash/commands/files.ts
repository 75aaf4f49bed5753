import type { CommandContext } from '../just-bash.ts'
import { done, failed, type OwnCommand, readInput, readNamed, reason } from './command.ts'
import { shuffled } from './shuffled.ts'

const SIZES: Readonly<Record<string, number>> = {
  '': 1,
  k: 1024,
  K: 1024,
  M: 1024 ** 2,
  G: 1024 ** 3,
  KB: 1000,
  MB: 1e6,
  GB: 1e9,
}

/** `truncate -s [+-]SIZE file…` */
export const truncate: OwnCommand = {
  name: 'truncate',
  async run(args, { fs, cwd, limits }) {
    const words = args.flatMap((arg) =>
      /^-s./.test(arg) ? ['-s', arg.slice(2)] : arg.startsWith('--size=') ? ['-s', arg.slice(7)] : [arg],
    )
    const at = words.indexOf('-s')
    const size = /^([+-]?)(\d+)([a-zA-Z]*)$/.exec(words[at + 1] ?? '')
    const unit = SIZES[size?.[3] ?? '']
    if (at < 0 || size === null || unit === undefined)
      return failed('truncate', 'you must specify a size with -s')
    for (const path of words.filter(
      (word, index) => index !== at && index !== at + 1 && !word.startsWith('-'),
    )) {
      const full = fs.resolvePath(cwd, path)
      const old = (await fs.exists(full)) ? await fs.readFileBuffer(full) : new Uint8Array()
      const amount = Number(size[2]) * unit
      const length =
        size[1] === '+' ? old.length + amount : size[1] === '-' ? Math.max(0, old.length - amount) : amount
      if (length > limits.maxFileSystemBytes)
        return failed('truncate', `cannot extend '${path}': File too large`)
      const content = new Uint8Array(length)
      content.set(old.subarray(0, length))
      try {
        await fs.writeFile(full, content)
      } catch (error) {
        return failed('truncate', `cannot open '${path}' for writing: ${reason(error)}`)
      }
    }
    return done()
  },
}

/** `cmp [-s] a b` */
export const cmp: OwnCommand = {
  name: 'cmp',
  async run(args, context) {
    const [a = '-', b = '-'] = args.filter((arg) => !/^-./.test(arg))
    const quiet = args.some((arg) => arg === '-s' || arg === '--silent' || arg === '--quiet')
    try {
      const [left, right] = [await readNamed(a, context), await readNamed(b, context)]
      if (left === right) return done()
      const at = firstDifference(left, right)
      if (quiet) return done('', 1)
      if (at >= Math.min(left.length, right.length))
        return failed('cmp', `EOF on ${left.length < right.length ? a : b} after byte ${at}`)
      return done(`${a} ${b} differ: byte ${at + 1}, line ${left.slice(0, at).split('\n').length}\n`, 1)
    } catch (error) {
      return failed('cmp', reason(error), 2)
    }
  },
}

function firstDifference(left: string, right: string): number {
  let at = 0
  while (at < left.length && left[at] === right[at]) at += 1
  return at
}

/** Lines of stdin or a file as text. */
async function linesOf(path: string | undefined, context: CommandContext): Promise<string[]> {
  const lines = Buffer.from(await readInput(path, context), 'latin1')
    .toString()
    .split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** `shuf [-n count] [-i from-to] [-e] [file]` */
export const shuf: OwnCommand = {
  name: 'shuf',
  async run(args, context) {
    const words = args.flatMap((arg) => (/^-[ni]./.test(arg) ? [arg.slice(0, 2), arg.slice(2)] : [arg]))
    const after = (option: string) => (words.includes(option) ? words[words.indexOf(option) + 1] : undefined)
    const range = /^(\d+)-(\d+)$/.exec(after('-i') ?? '')
    const operands = words.filter((word, at) => !/^-./.test(word) && !/^-[ni]$/.test(words[at - 1] ?? ''))
    if (words.some((word) => /^-[^nier-]|^--/.test(word)) || words.includes('-r'))
      return failed('shuf', 'this shuf has -n, -i and -e only')
    try {
      const lines =
        range !== null
          ? Array.from({ length: Number(range[2]) - Number(range[1]) + 1 }, (_, at) =>
              String(Number(range[1]) + at),
            )
          : words.includes('-e')
            ? operands
            : await linesOf(operands[0], context)
      return done(
        shuffled(lines)
          .slice(0, Number(after('-n') ?? lines.length))
          .map((line) => `${line}\n`)
          .join(''),
      )
    } catch (error) {
      return failed('shuf', `${operands[0]}: ${reason(error)}`)
    }
  },
}
