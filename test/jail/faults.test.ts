import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ShellHost } from '../../src/index.ts'
import { JailSandbox } from '../../src/jail/index.ts'
import { noJails } from '../support/jail.ts'

/** Numbers of processes of this machine whose command line has a text. */
function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(text)
      } catch {
        return false // It has ended.
      }
    })
    .map(Number)
}

/** Waits until a condition holds. */
async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + 60_000
  while (!holds()) {
    if (Date.now() > end) throw new Error('it has not come to that')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const descriptors = () => readdirSync('/proc/self/fd').length

let lastMark = 7000
/** Seconds that no other test sleeps. */
const mark = () => `${++lastMark}.${process.pid}`

describe.skipIf(noJails !== undefined)('a jail', () => {
  let host: ShellHost
  beforeAll(() => {
    host = new ShellHost()
  })
  afterAll(() => host.close())

  const open = (env = {}) => host.open({ shell: 'jail', env })

  it('ends with its sandbox, and leaves nothing open', async () => {
    await (await open()).close()
    const seconds = mark()
    // No other jail is made ready for what has its own variables.
    const sandbox = await open({ seconds })
    const before = descriptors()
    await sandbox.execute(`sleep ${seconds} & (setsid sleep ${seconds} &)`)
    await until(() => processesWith(`sleep ${seconds}`).length === 2)
    await sandbox.close()
    await until(() => processesWith(`sleep ${seconds}`).length === 0)
    await until(() => descriptors() < before)
  })

  it.each([
    ['its supervisor is ended', 'kill -9 $PPID; sleep 5'],
    ['every process in it is ended', 'kill -9 -1; sleep 5'],
    ['its status is forged', 'printf "X\\0" >/run/j/status; sleep 5'],
    ['its status is flooded', 'head -c 9000000 /dev/zero | tr "\\0" D >/run/j/status; sleep 5'],
  ])('tells once that it was lost where %s, and goes on afresh', async (_, command) => {
    const sandbox = await open()
    await expect(sandbox.execute(command)).rejects.toMatchObject({
      code: 'WORKER_LOST',
      cause: { code: 'WORKER_EXITED' },
    })
    expect(await sandbox.execute('echo again')).toMatchObject({ stdout: 'again\n' })
    expect(sandbox.generation).toBe(2)
    await sandbox.close()
  })

  it('is lost where bubblewrap is ended from outside', async () => {
    const seconds = mark()
    const sandbox = await open()
    const other = await open()
    await sandbox.execute(`sleep ${seconds} &`)
    await until(() => processesWith(`sleep ${seconds}`).length === 1)
    const [victim] = processesWith(`sleep ${seconds}`)
    const bwrap = processesWith('bwrap').filter((pid) => isAncestor(pid, victim ?? 0))
    const pending = sandbox.execute('sleep 100')
    process.kill(Math.min(...bwrap), 'SIGKILL')
    await expect(pending).rejects.toMatchObject({ code: 'WORKER_LOST' })
    await until(() => processesWith(`sleep ${seconds}`).length === 0)
    expect((await other.execute('echo fine')).stdout).toBe('fine\n')
    await Promise.all([sandbox.close(), other.close()])
  })

  it('ends with a host that is killed', async () => {
    const seconds = mark()
    const entry = new URL('../../dist/src/jail/index.js', import.meta.url).href
    const program = `const { JailSandbox } = await import(${JSON.stringify(entry)})
      const sandbox = await JailSandbox.open()
      await sandbox.execute('(setsid sleep ${seconds} &); sleep ${seconds} &')
      console.log('ready')
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await new Promise((resolve) => child.stdout.once('data', resolve))
    await until(() => processesWith(`sleep ${seconds}`).length === 3)
    child.kill('SIGKILL')
    await until(() => processesWith(`sleep ${seconds}`).length === 0)
  })

  it('closes while a command runs, and its thread serves others', async () => {
    await using one = new ShellHost({ maxSandboxes: 1 })
    const sandbox = await one.open({ shell: 'jail' })
    const pending = sandbox.execute('sleep 100')
    await sandbox.execute('true', { timeout: 0.05 }).catch(() => undefined)
    const rejected = expect(pending).rejects.toMatchObject({ code: 'CLOSED' })
    await sandbox.close()
    await rejected
    const next = await one.open({ shell: 'jail' })
    expect((await next.execute('echo next')).stdout).toBe('next\n')
    expect(one.stats()).toMatchObject({ leased: 1, retired: 0, workers: 1 })
  })

  it('lets a process end that has only idle jails, and hands none of its descriptors on', async () => {
    const entry = new URL('../../dist/src/jail/index.js', import.meta.url).href
    const program = `const { JailSandbox } = await import(${JSON.stringify(entry)})
      const sandbox = await JailSandbox.open()
      console.log((await sandbox.execute('cat /proc/self/fd/40 && readlink /proc/$$/fd/40')).stdout.trim())`
    const shell = ['-c', 'exec 40<"$1"; exec "$2" --input-type=module -e "$3"', 'sh']
    const child = spawn('bash', [...shell, fileURLToPath(import.meta.url), process.execPath, program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let printed = ''
    child.stdout.on('data', (bytes) => {
      printed += bytes
    })
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0)
    expect(printed).toBe('/dev/null\n')
  })

  it('says what to do where there is no directory for temporary files', async () => {
    vi.stubEnv('TMPDIR', '/nowhere')
    try {
      await using without = new ShellHost()
      await expect(without.open({ shell: 'jail' })).rejects.toThrow(/'\/nowhere'.*set TMPDIR/)
    } finally {
      vi.unstubAllEnvs()
    }
  })

  it('says what a full file system or a flood comes to, and goes on', async () => {
    await using small = await JailSandbox.open({ tmpfs: 2 ** 20, limits: { maxOutput: 1000 } }, { host })
    const full = await small.execute('head -c 5000000 /dev/zero >/tmp/full')
    expect(full.stderr).toContain('No space left on device')
    await expect(small.writeText('/tmp/more', 'x'.repeat(10_000))).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
    })
    const flood = await small.execute('head -c 30000000 /dev/zero | tr "\\\\0" x; x=1')
    expect(flood.truncated).toEqual({ stdout: 30_000_000 - 1000 })
    expect((await small.execute('rm /tmp/full; echo $x')).stdout).toBe('1\n')
  })
})

function isAncestor(pid: number, of: number): boolean {
  for (let at = of; at > 1; ) {
    if (at === pid) return true
    try {
      at = Number(readFileSync(`/proc/${at}/stat`, 'latin1').split(') ')[1]?.split(' ')[1])
    } catch {
      return false // It has ended.
    }
  }
  return false
}
