import type { CommandContext } from '../just-bash.ts'
import { quoted } from '../text/quoted.ts'
import { done, failed, type OwnCommand, reason } from './command.ts'
import { type FileFacts, factsOf } from './file-facts.ts'
import { isGiven, readOptions } from './options.ts'

const OPTIONS = {
  format: { type: 'string', short: 'c' },
  printf: { type: 'string' },
  dereference: { type: 'boolean', short: 'L' },
  terse: { type: 'boolean', short: 't' },
} as const

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  '\\': '\\',
  r: '\r',
  '0': '\0',
  a: '\x07',
}

const LONG = `  File: %n
  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F
Access: (%04a/%A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)
Access: %x
Modify: %y
Change: %z
 Birth: %w
`

const TERSE = '%n %s %b %f %u %g %h %X %Y %Z %W %o\n'

/** `stat [-L] [-c format | --printf=format | -t] file…`. Every file has one owner, and the time of its last write as all its times. */
export const stat: OwnCommand = {
  name: 'stat',
  async run(args, context) {
    const read = readOptions('stat', args, OPTIONS)
    if (!isGiven(read)) return read
    const { flags, values, operands } = read
    if (operands.length === 0) return failed('stat', 'missing operand')
    const printf = values.get('printf')
    const format = values.get('format')
    const text =
      printf?.replaceAll(/\\(.)/gs, (whole, letter: string) => ESCAPES[letter] ?? whole) ??
      (format === undefined ? (flags.has('terse') ? TERSE : LONG) : `${format}\n`)
    let [stdout, stderr] = ['', '']
    for (const path of operands) {
      try {
        const facts = await factsOf(path, context, flags.has('dereference'))
        stdout += filled(text, facts, context)
      } catch (error) {
        stderr += `stat: cannot statx '${path}': ${reason(error)}\n`
      }
    }
    return { ...done(stdout), stderr, exitCode: stderr === '' ? 0 : 1 }
  },
}

function filled(format: string, facts: FileFacts, { env }: CommandContext): string {
  return format.replaceAll(/%([-0]?)(\d*)([a-zA-Z%])/g, (_, flag: string, width: string, letter: string) => {
    const value = directive(letter, facts, env.get('USER') ?? 'user')
    if (flag === '-') return value.padEnd(Number(width))
    return value.padStart(Number(width), flag === '0' ? '0' : ' ')
  })
}

function directive(letter: string, facts: FileFacts, user: string): string {
  const { path, kind, mode, size, modified, target } = facts
  const seconds = String(Math.floor(modified.getTime() / 1000))
  const values: Readonly<Record<string, () => string>> = {
    '%': () => '%',
    a: () => mode.toString(8),
    A: () => facts.modeText,
    b: () => String(Math.ceil(size / 4096) * 8),
    B: () => '512',
    f: () => facts.rawMode.toString(16),
    F: () => (kind === 'regular file' && size === 0 ? 'regular empty file' : kind),
    g: () => '1000',
    G: () => user,
    h: () => (kind === 'directory' ? '2' : '1'),
    n: () => path,
    N: () => (target === undefined ? quoted(path) : `${quoted(path)} -> ${quoted(target)}`),
    o: () => '4096',
    s: () => String(size),
    u: () => '1000',
    U: () => user,
    w: () => '-',
    W: () => '0',
  }
  if ('xyz'.includes(letter)) return fullTime(modified)
  if ('XYZ'.includes(letter)) return seconds
  return values[letter]?.() ?? '?'
}

/** `2020-01-02 03:04:05.000000000 +0000` */
function fullTime(time: Date): string {
  const [day = '', clock = ''] = time.toISOString().split('T')
  return `${day} ${clock.replace('Z', '')}000000 +0000`
}
