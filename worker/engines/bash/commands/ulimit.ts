import { done, failed, type OwnCommand } from './command.ts'

/** What each limit is, and its unit as `ulimit -a` tells it. */
const LIMITS: Readonly<Record<string, readonly [name: string, unit: string, value: string]>> = {
  c: ['core file size', 'blocks, -c', '0'],
  d: ['data seg size', 'kbytes, -d', 'unlimited'],
  f: ['file size', 'blocks, -f', 'unlimited'],
  l: ['max locked memory', 'kbytes, -l', 'unlimited'],
  m: ['max memory size', 'kbytes, -m', 'unlimited'],
  n: ['open files', '-n', '1024'],
  s: ['stack size', 'kbytes, -s', '8192'],
  t: ['cpu time', 'seconds, -t', 'unlimited'],
  u: ['max user processes', '-u', 'unlimited'],
  v: ['virtual memory', 'kbytes, -v', 'unlimited'],
}

/** `ulimit [-SH] [-a | -letter [limit]]`. The bounds of a sandbox are not the script's to change. */
export const ulimit: OwnCommand = {
  name: 'ulimit',
  run(args) {
    const letters = args
      .filter((arg) => arg.startsWith('-'))
      .join('')
      .replaceAll(/[-SH]/g, '')
    const [value] = args.filter((arg) => !arg.startsWith('-'))
    if (letters === 'a') return done(Object.values(LIMITS).map(shown).join(''))
    const limit = LIMITS[letters === '' ? 'f' : letters]
    if (limit === undefined) return failed('bash', `ulimit: -${letters}: invalid option`, 2)
    const [name, , now] = limit
    if (value === undefined) return done(`${now}\n`)
    if (value === now || value === 'hard' || value === 'soft') return done()
    return failed('bash', `ulimit: ${name}: cannot modify limit: Operation not permitted`)
  },
}

const shown = ([name, unit, value]: readonly [string, string, string]) =>
  `${name.padEnd(25)}${`(${unit}) `.padStart(15)}${value}\n`
