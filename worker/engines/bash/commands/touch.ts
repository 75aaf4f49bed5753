import type { CommandContext } from '../just-bash.ts'
import { type Answer, done, failed, type OwnCommand, reason } from './command.ts'
import { parseDate } from './date-words.ts'
import { type Given, isGiven, readOptions } from './options.ts'

const OPTIONS = {
  'no-create': { type: 'boolean', short: 'c' },
  'no-dereference': { type: 'boolean', short: 'h' },
  a: { type: 'boolean', short: 'a' },
  m: { type: 'boolean', short: 'm' },
  date: { type: 'string', short: 'd' },
  reference: { type: 'string', short: 'r' },
  t: { type: 'string', short: 't' },
} as const

/** `touch [-c] [-d words] [-t [[CC]YY]MMDDhhmm[.ss]] [-r file] file…`. A file has one time: `-a` alone changes nothing. */
export const touch: OwnCommand = {
  name: 'touch',
  async run(args, context) {
    const read = readOptions('touch', args, OPTIONS)
    if (!isGiven(read)) return read
    const { flags, operands } = read
    if (operands.length === 0) return failed('touch', 'missing file operand')
    const time = await timeOf(read, context)
    if (!(time instanceof Date)) return time
    let stderr = ''
    for (const path of operands) {
      try {
        await touchFile(path, context, { time, create: !flags.has('no-create'), keep: onlyAccess(flags) })
      } catch (error) {
        stderr += `touch: cannot touch '${path}': ${reason(error)}\n`
      }
    }
    return { ...done(), stderr, exitCode: stderr === '' ? 0 : 1 }
  },
}

const onlyAccess = (flags: ReadonlySet<string>) => flags.has('a') && !flags.has('m')

async function touchFile(
  path: string,
  { fs, cwd }: CommandContext,
  { time, create, keep }: { readonly time: Date; readonly create: boolean; readonly keep: boolean },
): Promise<void> {
  const full = fs.resolvePath(cwd, path)
  if (!(await fs.exists(full))) {
    if (!create) return
    await fs.writeFile(full, '')
  }
  if (!keep) await fs.utimes(full, time, time)
}

async function timeOf({ values }: Given, { fs, cwd, env }: CommandContext): Promise<Date | Answer> {
  const [words, stamp, reference] = [values.get('date'), values.get('t'), values.get('reference')]
  if (words !== undefined) {
    const time = parseDate(words, new Date(), env.get('TZ'))
    return time ?? failed('touch', `invalid date format '${words}'`)
  }
  if (stamp !== undefined) return timeOfStamp(stamp) ?? failed('touch', `invalid date format '${stamp}'`)
  if (reference === undefined) return new Date()
  const stat = await fs.stat(fs.resolvePath(cwd, reference)).catch(() => undefined)
  if (stat === undefined)
    return failed('touch', `failed to get attributes of '${reference}': No such file or directory`)
  // just-bash's own object is of no use once this command has ended.
  return new Date(stat.mtime.getTime())
}

/** `[[CC]YY]MMDDhhmm[.ss]`, UTC. */
function timeOfStamp(stamp: string): Date | undefined {
  const parts = /^(?:(\d\d)?(\d\d))?(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d\d))?$/.exec(stamp)
  if (parts === null) return undefined
  const [, century, short, month = '', day = '', hour = '', minute = '', second = '0'] = parts
  const year =
    short === undefined
      ? new Date().getUTCFullYear()
      : century === undefined
        ? Number(short) + (Number(short) < 69 ? 2000 : 1900)
        : Number(century + short)
  const time = new Date(
    Date.UTC(year, Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)),
  )
  return time.getUTCMonth() === Number(month) - 1 && time.getUTCDate() === Number(day) ? time : undefined
}
