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

/** `install [-d] [-m mode] [-D] source… target` */
export const install: OwnCommand = {
  name: 'install',
  async run(args, { fs, cwd }) {
    let [mode, directories, parents] = [0o755, false, false]
    const paths: string[] = []
    for (let at = 0; at < args.length; at += 1) {
      const arg = args[at] ?? ''
      if (arg === '-m' || arg === '-o' || arg === '-g') {
        at += 1
        if (arg === '-m') mode = Number.parseInt(args[at] ?? '755', 8)
      } else if (/^-m\d+$/.test(arg)) mode = Number.parseInt(arg.slice(2), 8)
      else if (/^-[dDvcp]+$/.test(arg)) {
        directories ||= arg.includes('d')
        parents ||= arg.includes('D')
      } else if (arg.startsWith('-')) return failed('install', `invalid option '${arg}'`)
      else paths.push(arg)
    }
    const full = (path: string) => fs.resolvePath(cwd, path)
    try {
      if (directories) {
        for (const path of paths) await fs.mkdir(full(path), { recursive: true })
        return done()
      }
      const target = paths.pop()
      if (target === undefined || paths.length === 0) return failed('install', 'missing file operand')
      if (parents) await fs.mkdir(full(target.split('/').slice(0, -1).join('/') || '.'), { recursive: true })
      const folder = (await fs.stat(full(target)).catch(() => undefined))?.isDirectory === true
      for (const path of paths) {
        const to = full(folder ? `${target}/${path.split('/').at(-1)}` : target)
        await fs.writeFile(to, await fs.readFileBuffer(full(path)))
        await fs.chmod(to, mode)
      }
      return done()
    } catch (error) {
      return failed('install', reason(error))
    }
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
