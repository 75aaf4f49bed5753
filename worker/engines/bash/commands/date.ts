import { failed } from './command.ts'
import { parseDate } from './date-words.ts'
import { rewriting } from './wrapper.ts'

const ISO: Readonly<Record<string, string>> = {
  '': '+%Y-%m-%d',
  date: '+%Y-%m-%d',
  seconds: '+%Y-%m-%dT%H:%M:%S+00:00',
  minutes: '+%Y-%m-%dT%H:%M+00:00',
  hours: '+%Y-%m-%dT%H+00:00',
}

/** `date -d 'relative words'`, `-r file`, `-I`. Times are UTC. */
export const date = rewriting('date', async (args, context) => {
  const words: string[] = []
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? ''
    const iso = /^(?:-I|--iso-8601=?)(\w*)$/.exec(arg)
    const given = /^(?:-d|--date=)(.+)$/s.exec(arg)?.[1]
    if (iso !== null) words.push(ISO[iso[1] ?? ''] ?? '+%F')
    else if (arg === '-r' || arg === '--reference') {
      at += 1
      const stat = await context.fs
        .stat(context.fs.resolvePath(context.cwd, args[at] ?? ''))
        .catch(() => undefined)
      if (stat === undefined) return failed('date', `${args[at]}: No such file or directory`)
      words.push('-d', `@${Math.floor(stat.mtime.getTime() / 1000)}`)
    } else if (given !== undefined || arg === '-d' || arg === '--date') {
      if (given === undefined) at += 1
      const text = given ?? args[at] ?? ''
      const moment = parseDate(text, new Date())
      if (moment === undefined) return failed('date', `invalid date '${text}'`)
      words.push('-d', `@${Math.floor(moment.getTime() / 1000)}`)
    } else words.push(arg)
  }
  return words
})
