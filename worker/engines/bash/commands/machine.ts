import { done, failed, type OwnCommand } from './command.ts'
import { isGiven, readOptions } from './options.ts'

const DF = {
  'human-readable': { type: 'boolean', short: 'h' },
  si: { type: 'boolean', short: 'H' },
  k: { type: 'boolean', short: 'k' },
  m: { type: 'boolean', short: 'm' },
  'print-type': { type: 'boolean', short: 'T' },
  portability: { type: 'boolean', short: 'P' },
  all: { type: 'boolean', short: 'a' },
  inodes: { type: 'boolean', short: 'i' },
  type: { type: 'string', short: 't' },
} as const

/** `12M`, as `df -h` rounds it: up. */
function human(bytes: number, base: number): string {
  const letters = ['', 'K', 'M', 'G', 'T']
  let [size, power] = [bytes, 0]
  while (size >= base && power < letters.length - 1) {
    size /= base
    power += 1
  }
  const shown = power > 0 && size < 10 ? (Math.ceil(size * 10) / 10).toFixed(1) : String(Math.ceil(size))
  return shown + (letters[power] ?? '')
}

/** `df [-hkmTP] [path…]`: the file system of the sandbox, whose size is `limits.maxFileSystem`. */
export const df: OwnCommand = {
  name: 'df',
  async run(args, { fs, cwd, limits }) {
    const read = readOptions('df', args, DF)
    if (!isGiven(read)) return read
    const { flags, operands } = read
    if (flags.has('inodes')) return failed('df', '-i is not known here')
    for (const path of operands)
      if (!(await fs.exists(fs.resolvePath(cwd, path))))
        return failed('df', `${path}: No such file or directory`)
    const used = await usedBytes('/', fs)
    const total = limits.maxFileSystemBytes
    const size = (bytes: number): string => {
      if (flags.has('human-readable')) return human(bytes, 1024)
      if (flags.has('si')) return human(bytes, 1000)
      return String(Math.ceil(bytes / (flags.has('m') ? 1024 ** 2 : 1024)))
    }
    const unit =
      flags.has('human-readable') || flags.has('si') ? 'Size' : flags.has('m') ? '1M-blocks' : '1K-blocks'
    const free = flags.has('human-readable') || flags.has('si') ? 'Avail' : 'Available'
    const percent = `${Math.ceil((100 * used) / total)}%`
    const type = flags.has('print-type')
    const head = `Filesystem     ${type ? 'Type  ' : ''}${unit.padStart(9)} ${'Used'.padStart(8)} ${free.padStart(9)} Use% Mounted on\n`
    const row = `sandbox        ${type ? 'tmpfs ' : ''}${size(total).padStart(9)} ${size(used).padStart(8)} ${size(total - used).padStart(9)} ${percent.padStart(4)} /\n`
    return done(head + row)
  },
}

/** Bytes of the files that were written: those of devices and programs take none. */
async function usedBytes(path: string, fs: Parameters<OwnCommand['run']>[1]['fs']): Promise<number> {
  if (/^\/(dev|proc|bin|usr)$/.test(path)) return 0
  const stat = await fs.lstat(path).catch(() => undefined)
  if (stat?.isDirectory !== true) return stat?.size ?? 0
  let sum = 0
  for (const name of await fs.readdir(path)) sum += await usedBytes(`${path === '/' ? '' : path}/${name}`, fs)
  return sum
}

/** `uptime [-ps]` of the worker. */
export const uptime: OwnCommand = {
  name: 'uptime',
  run(args) {
    const seconds = Math.floor(process.uptime())
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
    if (args[0] === '-p' || args[0] === '--pretty')
      return done(
        `up ${hours > 0 ? `${hours} hour${hours > 1 ? 's' : ''}, ` : ''}${minutes} minute${minutes === 1 ? '' : 's'}\n`,
      )
    if (args[0] === '-s' || args[0] === '--since')
      return done(`${new Date(Date.now() - seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')}\n`)
    if (args.length > 0) return failed('uptime', `invalid option ${args[0]}`)
    const up = hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}` : `${minutes} min`
    return done(
      ` ${new Date().toISOString().slice(11, 19)} up ${up},  0 users,  load average: 0.00, 0.00, 0.00\n`,
    )
  },
}
