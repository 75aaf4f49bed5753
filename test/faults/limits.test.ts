import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { program } from '../fixtures/program.ts'
import { noJails } from '../support/jail.ts'
import { byTier, isFull } from '../support/tier.ts'
import { refusedForRoom } from './matrix/system-faults.ts'
import { runChild } from './run-child.ts'

/** How openings went in a process at a limit: what a command printed, or the codes of an error. */
interface Words {
  readonly short: readonly string[]
  readonly afterwards?: string
  readonly many: readonly string[]
  readonly last: string
}

const levels = ['worker', 'shared', 'process'] as const
const shells = ['bash', 'strands'] as const
const combinations = levels.flatMap((level) => shells.map((shell) => [level, shell] as const))
/** All in the full tier, and in the default tier one: each limit has another. */
const inTurn = (turn: number) => combinations.filter((_, index) => isFull || index === turn)

const openOrRefused = expect.stringMatching(`^(?:open|${refusedForRoom})$`)
const nobody = 65_534

describe.runIf(process.platform === 'linux')('a process at a limit of its system', () => {
  it.concurrent.each(
    byTier<readonly number[]>({ default: [64], full: [64, 100, 256] }).flatMap((limit) =>
      [
        ...inTurn(0),
        // A thread keeps room for two jails.
        ...(limit === 256 && noJails === undefined ? [['shared', 'jail'] as const] : []),
      ].map((combination) => [limit, ...combination] as const),
    ),
  )(
    'with %d descriptors, all in use: an opening is refused, and works later: %s, %s',
    async (limit, level, shell) => {
      const line = `ulimit -n ${limit}; exec "$0" "$@"`
      const child = [process.execPath, program('test/faults/children/limits.ts'), 'files', level, shell]
      const { stdout, stderr } = await promisify(execFile)('bash', ['-c', line, ...child], {
        timeout: 100_000,
      })
      const words = lastLine(stdout)
      expect(stderr).toBe('')
      expect(words.short[0]).toBe(refusedForRoom)
      for (const word of [...words.short, ...words.many]) expect(word).toEqual(openOrRefused)
      expect(words.many).toContain('open')
      expect([words.afterwards, words.last]).toEqual(['open', 'open'])
    },
  )
})

it.runIf(process.platform === 'linux')(
  'programs that a bash session cannot load for want of descriptors say so, and are loaded later',
  async () => {
    const line = 'ulimit -n 64; exec "$0" "$@"'
    const child = [process.execPath, program('test/faults/children/programs.ts')]
    const { stdout } = await promisify(execFile)('bash', ['-c', line, ...child], { timeout: 100_000 })
    const why = 'cannot be loaded now: the process may open no further file (EMFILE)'
    expect(JSON.parse(stdout)).toEqual({
      without: [
        [1, '', `base64: ${why}\n`],
        [0, '', `strings: ${why}\n`],
      ],
      afterwards: [
        [0, 'YWJjCg==\n', ''],
        [0, 'abcd\n', ''],
      ],
    })
  },
)

/** What a process says. Node 22 writes a line before it where a thread ends as it starts. */
function lastLine(text: string): Words {
  return JSON.parse(text.trim().split('\n').at(-1) ?? '')
}

/** KiB of address space beside what Node takes by itself, and whether any sandbox opens in so much. */
const spaces = byTier<readonly (readonly [number, boolean])[]>({
  default: [[1_750_000, true]],
  full: [
    [450_000, false],
    [1_050_000, false],
    [1_750_000, true],
    [3_250_000, true],
  ],
})

/** KiB of address space that Node takes as it starts: 0.7 GiB, from Node 24 on 1.3. */
function spaceOfNode(): number {
  const size = "/^VmSize:\\s+(\\d+)/m.exec(fs.readFileSync('/proc/self/status', 'utf8'))[1]"
  return Number(execFileSync(process.execPath, ['--print', size], { encoding: 'utf8' }))
}

describe.runIf(hasProgram('prlimit'))('a process with little address space', () => {
  it.concurrent.each(
    spaces.flatMap((space) => inTurn(3).map((combination) => [...space, ...combination] as const)),
  )(
    'of %d KiB beside those of Node (one has room: %s): openings are refused, those that are open go on, and all work later: %s, %s',
    async (kibibytes, hasRoom, level, shell) => {
      const line = `ulimit -S -v ${spaceOfNode() + kibibytes}; exec "$0" "$@"`
      const node = [process.execPath, '--no-warnings', program('test/faults/children/limits.ts')]
      const { stdout, stderr } = await promisify(execFile)(
        'bash',
        ['-c', line, ...node, 'space', level, shell],
        {
          timeout: 100_000,
        },
      )
      const { many, last } = lastLine(stdout)
      expect(stderr).toBe('')
      for (const word of many) expect(word).toEqual(openOrRefused)
      expect(many).toContain(hasRoom ? 'open' : refusedForRoom)
      expect(last).toBe('open')
    },
  )
})

/** Runs the program as another user with so many threads, and raises the limit when it says so. */
async function atThreadLimit(limit: number, level: string, shell: string): Promise<Words> {
  const cache = mkdtempSync(join(tmpdir(), 'limits-'))
  onTestFinished(() => rmSync(cache, { recursive: true, force: true }))
  chownSync(cache, nobody, nobody)
  const user = ['--reuid', `${nobody}`, '--regid', `${nobody}`, '--clear-groups']
  const line = `ulimit -S -u ${limit}; exec "$0" "$@"`
  const node = [process.execPath, program('test/faults/children/limits.ts'), 'threads', level, shell]
  const child = spawn('setpriv', [...user, 'bash', '-c', line, ...node], {
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: 100_000,
    killSignal: 'SIGKILL',
    env: { ...process.env, NODE_OPTIONS: '', STRANDS_SHELL_RUNTIME_CACHE: cache },
  })
  const lines: string[] = []
  createInterface(child.stdout).on('line', (text) => {
    lines.push(text)
    if (text !== 'full') return
    // A user may raise it up to the hard limit.
    execFileSync('setpriv', [...user, 'prlimit', '--pid', `${child.pid}`, '--nproc=4096:'])
    child.stdin.write('\n')
  })
  expect(await once(child, 'close')).toEqual([0, null])
  return lastLine(lines.join('\n'))
}

describe.runIf(mayBeAnother())('a process of a user who may start few threads', () => {
  // The limit counts all threads of the user: one process at a time.
  it.each(
    byTier<readonly number[]>({ default: [20], full: [16, 20, 30, 40] }).flatMap((limit) =>
      inTurn(4).map((combination) => [limit, ...combination] as const),
    ),
  )(
    '%d: openings are refused, those that are open go on, and all work later: %s, %s',
    async (limit, level, shell) => {
      const { many, last } = await atThreadLimit(limit, level, shell)
      for (const word of many) expect(word).toEqual(openOrRefused)
      expect(last).toBe('open')
    },
  )
})

describe.runIf(hasProgram('prlimit'))('a process whose limit of files another process lowers', () => {
  it.each(byTier({ default: [2], full: [2, 6, 12] }))(
    'is told so where it opens cells, and opens them afterwards: with %i files left',
    async (left) => {
      const { stdout, stderr } = await runChild('lowered-limit', [String(left)], 100)
      expect([stderr, JSON.parse(stdout)]).toEqual([
        '',
        { before: 'open', short: [openOrRefused, openOrRefused], afterwards: 'open' },
      ])
      if (left === 2) expect(stdout).toContain(refusedForRoom)
    },
  )
})

/** Whether programs can be run as another user who reaches the files of this package. */
function mayBeAnother(): boolean {
  if (process.getuid?.() !== 0) return false
  try {
    const reads = ['--reuid', `${nobody}`, '--clear-groups', 'test', '-r', import.meta.filename]
    execFileSync('setpriv', reads, { stdio: 'ignore' })
    return hasProgram('prlimit')
  } catch {
    return false // No such program, or the files are this user's alone.
  }
}

function hasProgram(name: string): boolean {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false // Not installed.
  }
}
