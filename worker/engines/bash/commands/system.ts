import { changedMode } from '../text/mode.ts'
import { withoutSlashes } from '../text/slashes.ts'
import { ENDLESS } from '../transform/endless.ts'
import { bytes, done, failed, type OwnCommand, readInput, reason } from './command.ts'
import { runWords } from './run-words.ts'

/** Bytes that `yes` prints. `head` fails where it needs more. */
const YES_BYTES = 16 * 1024 * 1024

export const yes: OwnCommand = {
  name: 'yes',
  run(args, { limits }, { files }) {
    files.endlessCut = true
    const words = args[0] === '--' ? args.slice(1) : args
    const line = `${words.length === 0 ? 'y' : words.join(' ')}\n`
    return done(line.repeat(Math.floor(Math.min(YES_BYTES, limits.maxStringLength / 2) / line.length)))
  },
}

/** `yes` that no reader ends. */
export const endlessYes: OwnCommand = {
  name: ENDLESS,
  async run(args, context, interpreter) {
    const output = await yes.run(args, context, interpreter)
    return { ...output, stderr: 'yes: standard output: No space left on device\n', exitCode: 1 }
  },
}

export const nproc: OwnCommand = { name: 'nproc', run: () => done('1\n') }

export const arch: OwnCommand = { name: 'arch', run: () => done('x86_64\n') }

const SYSTEM: readonly (readonly [letter: string, value: string])[] = [
  ['s', 'Linux'],
  ['n', 'localhost'],
  ['r', '6.1.0'],
  ['v', '#1 SMP'],
  ['m', 'x86_64'],
  ['o', 'GNU/Linux'],
]

export const uname: OwnCommand = {
  name: 'uname',
  run(args) {
    const letters = args.length === 0 ? 's' : args.map((arg) => arg.replace(/^-/, '')).join('')
    if (!/^[asnrvmpio]*$/.test(letters)) return failed('uname', `invalid option ${args.join(' ')}`)
    const all = letters.includes('a')
    return done(
      `${SYSTEM.filter(([letter]) => all || letters.includes(letter))
        .map(([, value]) => value)
        .join(' ')}\n`,
    )
  },
}

export const id: OwnCommand = {
  name: 'id',
  run(args, { env }) {
    const user = env.get('USER') ?? 'user'
    const letters = args
      .filter((arg) => arg.startsWith('-'))
      .join('')
      .replaceAll('-', '')
    if (letters === '') return done(`uid=1000(${user}) gid=1000(${user}) groups=1000(${user})\n`)
    return done(`${letters.includes('n') ? user : '1000'}\n`)
  },
}

export const umask: OwnCommand = {
  name: 'umask',
  run(args, _context, { files }) {
    const [value, symbolic] = args
    if (value === undefined) return done(`${files.umask.toString(8).padStart(4, '0')}\n`)
    if (value === '-S' && symbolic === undefined) {
      const bits = [6, 3, 0].map((shift) => (~files.umask >> shift) & 7)
      const letters = (bit: number) => `${bit & 4 ? 'r' : ''}${bit & 2 ? 'w' : ''}${bit & 1 ? 'x' : ''}`
      return done(`${['u', 'g', 'o'].map((who, at) => `${who}=${letters(bits[at] ?? 0)}`).join(',')}\n`)
    }
    if (value === '-p' && symbolic === undefined)
      return done(`umask ${files.umask.toString(8).padStart(4, '0')}\n`)
    const text = value === '-S' ? (symbolic ?? '') : value
    if (/^[0-7]{1,4}$/.test(text)) files.umask = Number.parseInt(text, 8) & 0o777
    else {
      const mode = changedMode(text, { mode: ~files.umask & 0o777, isDirectory: false, umask: 0 })
      if (mode === undefined || /\d/.test(text))
        return failed(
          'bash',
          `umask: ${text}: ${/^\d/.test(text) ? 'octal number out of range' : 'invalid symbolic mode'}`,
        )
      files.umask = ~mode & 0o777
    }
    return done()
  },
}

/** `nohup`, `nice`, `stdbuf` and `command`-like programs run what follows their options. */
export const through = (name: string, takesValue: string): OwnCommand => ({
  name,
  async run(args, context) {
    let at = 0
    for (; at < args.length && (args[at] ?? '').startsWith('-'); at += 1)
      if (takesValue.includes((args[at] ?? '').slice(1)) && (args[at] ?? '').length === 2) at += 1
    const words = args.slice(at)
    return words.length === 0 ? failed(name, 'missing operand', 125) : runWords(name, words, context)
  },
})

/** `less` and `more` print what they are given. */
export const pager = (name: string): OwnCommand => ({
  name,
  async run(args, context) {
    const files = args.filter((arg) => !arg.startsWith('-'))
    if (files.length === 0)
      return { stdout: String(context.stdin), stderr: '', exitCode: 0, stdoutKind: 'bytes' }
    let [stdout, stderr] = ['', '']
    for (const path of files)
      try {
        stdout += await readInput(path, context)
      } catch (error) {
        stderr += `${path}: ${reason(error)}\n`
      }
    return { ...bytes(stdout, stderr === '' ? 0 : 1), stderr }
  },
})

/** Commands have no terminal. */
export const tty: OwnCommand = { name: 'tty', run: () => done('not a tty\n', 1) }

/** `dirname path…` */
export const dirname: OwnCommand = {
  name: 'dirname',
  run(args) {
    const paths = args.filter((arg) => arg !== '--')
    if (paths.length === 0) return failed('dirname', 'missing operand')
    return done(paths.map((path) => `${parentOf(path)}\n`).join(''))
  },
}

function parentOf(path: string): string {
  const trimmed = withoutSlashes(path)
  if (trimmed === '') return path.startsWith('/') ? '/' : '.'
  const parent = trimmed.includes('/') ? trimmed.replace(/\/+[^/]*$/, '') : '.'
  return parent === '' ? '/' : parent
}
