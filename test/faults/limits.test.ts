import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { program } from '../fixtures/program.ts'
import { byTier } from '../support/tier.ts'

/** How openings went in a process at a limit: what a command printed, or the codes of an error. */
interface Words {
  readonly short: readonly string[]
  readonly afterwards?: string
  readonly many: readonly string[]
  readonly last: string
}

const levels = ['worker', 'shared', 'process'] as const
const shells = ['bash', 'strands'] as const
const combinations = levels
  .flatMap((level) => shells.map((shell) => [level, shell] as const))
  .filter((_, index) => byTier({ default: index % 3 === 0, full: true }))

const refused = 'WORKER_LOST WORKER_FAILED'
const openOrRefused = expect.stringMatching(`^(?:open|${refused})$`)
const nobody = 65_534

describe.runIf(process.platform === 'linux')('a process at a limit of its system', () => {
  it.concurrent.each(
    byTier<readonly number[]>({ default: [64], full: [64, 100, 256] }).flatMap((limit) =>
      combinations.map((combination) => [limit, ...combination] as const),
    ),
  )(
    'with %d descriptors, all in use: an opening is refused, and works later: %s, %s',
    async (limit, level, shell) => {
      const line = `ulimit -n ${limit}; exec "$0" "$@"`
      const child = [process.execPath, program('test/faults/children/limits.ts'), 'files', level, shell]
      const { stdout, stderr } = await promisify(execFile)('bash', ['-c', line, ...child], {
        timeout: 20_000,
      })
      const words: Words = JSON.parse(stdout)
      expect(stderr).toBe('')
      expect(words.short[0]).toBe(refused)
      for (const word of [...words.short, ...words.many]) expect(word).toEqual(openOrRefused)
      expect(words.many).toContain('open')
      expect([words.afterwards, words.last]).toEqual(['open', 'open'])
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
    timeout: 20_000,
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
  return JSON.parse(lines[1] ?? '')
}

describe.runIf(mayBeAnother())('a process of a user who may start few threads', () => {
  // The limit counts all threads of the user: one process at a time.
  it.each(
    byTier<readonly number[]>({ default: [20], full: [16, 20, 30, 40] }).flatMap((limit) =>
      combinations.map((combination) => [limit, ...combination] as const),
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

/** Whether programs can be run as another user who reaches the files of this package. */
function mayBeAnother(): boolean {
  if (process.getuid?.() !== 0) return false
  try {
    const reads = ['--reuid', `${nobody}`, '--clear-groups', 'test', '-r', import.meta.filename]
    execFileSync('setpriv', reads, { stdio: 'ignore' })
    execFileSync('prlimit', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false // No such programs, or the files are this user's alone.
  }
}
