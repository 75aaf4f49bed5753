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
export const date = rewriting('date', async (given, context) => {
  const words: string[] = []
  const args = given.flatMap((arg) => {
    const [, after] = /^-u([rdRI].*)$/s.exec(arg) ?? []
    return after === undefined ? [arg] : ['-u', `-${after}`]
  })
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? ''
    const iso = /^(?:-I|--iso-8601=?)(\w*)$/.exec(arg)
    const written = /^(?:-d|--date=)(.+)$/s.exec(arg)?.[1]
    const reference = /^(?:-r|--reference=)(.+)$/s.exec(arg)?.[1]
    if (iso !== null) words.push(ISO[iso[1] ?? ''] ?? '+%F')
    else if (reference !== undefined || arg === '-r' || arg === '--reference') {
      if (reference === undefined) at += 1
      const path = reference ?? args[at] ?? ''
      const stat = await context.fs.stat(context.fs.resolvePath(context.cwd, path)).catch(() => undefined)
      if (stat === undefined) return failed('date', `${path}: No such file or directory`)
      words.push('-d', `@${Math.floor(stat.mtime.getTime() / 1000)}`)
    } else if (written !== undefined || arg === '-d' || arg === '--date') {
      if (written === undefined) at += 1
      const text = written ?? args[at] ?? ''
      const moment = parseDate(text, new Date())
      if (moment === undefined) return failed('date', `invalid date '${text}'`)
      words.push('-d', `@${Math.floor(moment.getTime() / 1000)}`)
    } else words.push(arg)
  }
  return words
})
