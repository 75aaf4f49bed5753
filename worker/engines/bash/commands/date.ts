import { dateFields } from '../text/date-fields.ts'
import { failed } from './command.ts'
import { parseDate } from './date-words.ts'
import { rewriting } from './wrapper.ts'

const ISO: Readonly<Record<string, string>> = {
  '': '+%Y-%m-%d',
  date: '+%Y-%m-%d',
  seconds: '+%Y-%m-%dT%H:%M:%S%:z',
  minutes: '+%Y-%m-%dT%H:%M%:z',
  hours: '+%Y-%m-%dT%H%:z',
}

const RFC: Readonly<Record<string, string>> = {
  date: '+%Y-%m-%d',
  seconds: '+%Y-%m-%d %H:%M:%S%:z',
  ns: '+%Y-%m-%d %H:%M:%S.%N%:z',
}

/** `date -d 'relative words'`, `-r file`, `-I`. */
export const date = rewriting('date', async (given, context) => {
  const words: string[] = []
  const now = new Date()
  let moment = now
  const args = given.flatMap((arg) => {
    const [, after] = /^-u([rdRI].*)$/s.exec(arg) ?? []
    return after === undefined ? [arg] : ['-u', `-${after}`]
  })
  const isUtc = args.some((arg) => /^(-[a-zA-Z]*u|--utc|--universal)$/.test(arg))
  const zone = isUtc ? undefined : context.env.get('TZ')
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? ''
    const iso = /^(?:-I|--iso-8601=?)(\w*)$/.exec(arg)
    const written = /^(?:-d(?=.)|--date=)(.*)$/s.exec(arg)?.[1]
    const reference = /^(?:-r|--reference=)(.+)$/s.exec(arg)?.[1]
    const rfc = RFC[/^--rfc-3339=(\w+)$/.exec(arg)?.[1] ?? '']
    if (rfc !== undefined) words.push(rfc)
    else if (iso !== null) words.push(ISO[iso[1] ?? ''] ?? '+%F')
    else if (reference !== undefined || arg === '-r' || arg === '--reference') {
      if (reference === undefined) at += 1
      const path = reference ?? args[at] ?? ''
      const stat = await context.fs.stat(context.fs.resolvePath(context.cwd, path)).catch(() => undefined)
      if (stat === undefined) return failed('date', `${path}: No such file or directory`)
      moment = stat.mtime
    } else if (written !== undefined || arg === '-d' || arg === '--date') {
      if (written === undefined) at += 1
      const text = written ?? args[at] ?? ''
      const [, own = zone, words = text] = /^TZ="([^"]*)"\s+(.*)$/s.exec(text) ?? []
      const parsed = parseDate(words, now, own)
      if (parsed === undefined) return failed('date', `invalid date '${text}'`)
      moment = parsed
    } else words.push(arg)
  }
  if (moment !== now) words.push('-d', `@${Math.floor(moment.getTime() / 1000)}`)
  return words.map((word) => (word.startsWith('+') ? dateFields(word, moment, zone) : word))
})
