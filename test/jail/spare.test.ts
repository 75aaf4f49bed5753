import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ShellHost } from '../../src/index.ts'
import type { JailConfig } from '../../src/jail/index.ts'
import { noJails } from '../support/jail.ts'
import { isFull } from '../support/tier.ts'

const guard = { timeout: 60_000, interval: 20 }

/** The processes that this one has started as jails, those that wait to be reaped included. */
function jails(): number[] {
  const isJail = (pid: string) => {
    try {
      const [, name, parent] = /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
      return name === 'bwrap' && Number(parent) === process.pid
    } catch {
      return false // It has ended.
    }
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isJail(name))
    .map(Number)
}

describe.skipIf(noJails !== undefined)('a jail that is made ready', () => {
  let host: ShellHost
  let before: readonly number[]
  beforeEach(() => {
    before = jails()
    host = new ShellHost()
  })
  afterEach(() => host.close())

  const own = () => jails().filter((pid) => !before.includes(pid))
  const open = (config: JailConfig = {}) => host.open({ shell: 'jail', ...config })

  /** The process of a jail that begins after two openings of a kind. */
  async function ready(config?: JailConfig): Promise<number | undefined> {
    const first = await open(config)
    const used = own()
    await first.close()
    const second = await open(config)
    // The spare one may have begun: it is the last.
    const begun = own().filter((pid) => !used.includes(pid))
    used.push(...begun.sort((one, other) => startOf(one) - startOf(other)).slice(0, 1))
    await second.close()
    // Those that were used may take their time to end.
    const others = () => own().filter((pid) => !used.includes(pid))
    await vi.waitFor(() => expect(others().flatMap(supervisorsOf)).toHaveLength(1), guard)
    await vi.waitFor(() => expect(own()).toEqual(others()), guard)
    return own()[0]
  }

  it('is what the third opening of its kind gets, and another one begins', async () => {
    const spare = await ready()
    const sandbox = await open()
    await vi.waitFor(() => expect(own()).toHaveLength(2), guard)
    expect(own()).toContain(spare)
    await sandbox.close()
    await vi.waitFor(() => expect(own()).not.toContain(spare), guard)
    expect(own()).toHaveLength(1)
  })

  it('is as one that has just begun', async () => {
    const look =
      'set | grep -v -E "^(BASH|RANDOM|SRANDOM|EPOCH|SECONDS)"; ls -la ~ /tmp | grep -v total; echo "$LINENO $? $- $_ $PWD $0 $# $!"'
    const sandbox = await open({ env: { A: '1' } })
    // What a shell has not asked for is not shown.
    expect((await sandbox.execute('set')).stdout).not.toMatch(/^SECONDS=/m)
    const fresh = (await sandbox.execute(look)).stdout
    await sandbox.close()
    const spare = await ready({ env: { A: '1' } })
    await sleep(2000) // SECONDS counts whole ones.
    const start = performance.now()
    const taken = await open({ env: { A: '1' } })
    expect(timeless((await taken.execute(look)).stdout)).toBe(timeless(fresh))
    const { stdout } = await taken.execute('echo $SECONDS')
    expect(Number(stdout)).toBeLessThanOrEqual(1 + (performance.now() - start) / 1000)
    expect(own()).toContain(spare)
    await taken.close()
  })

  const others: [string, JailConfig][] = [
    ['other variables', { env: { A: '2' } }],
    ['another directory', { cwd: '/tmp' }],
    ['other limits', { limits: { maxOpenFiles: 77 } }],
    ['a network', { allowedUrls: ['https://example.com/'] }],
    ['a bind', { binds: [{ source: import.meta.dirname, destination: '/bound', readonly: true }] }],
  ]
  it.each(isFull ? others : others.slice(0, 1))('is not for one with %s', async (_, config) => {
    const spare = await ready()
    const sandbox = await open(config)
    const seen = 'echo "$A|$PWD|$(ulimit -n)|$http_proxy|$(ls /bound 2>/dev/null | grep spare)"'
    const expected = {
      A: config.env?.['A'] ?? '',
      cwd: config.cwd ?? '/home/user',
      files: config.limits?.maxOpenFiles ?? 1024,
      proxy: config.allowedUrls === undefined ? '' : 'http.*',
      bound: config.binds === undefined ? '' : 'spare.test.ts',
    }
    const pattern = new RegExp(`^${Object.values(expected).join('\\|')}\n$`)
    expect((await sandbox.execute(seen)).stdout).toMatch(pattern)
    await sandbox.close()
    expect(own()).toContain(spare)
  })

  it('has the files that its sandbox begins with', async () => {
    await ready()
    const sandbox = await open({ files: { '/work/a': 'one' }, init: 'b=two', cwd: '/home/user' })
    expect(await sandbox.execute('cat /work/a; echo " $b"')).toMatchObject({ stdout: 'one two\n' })
    await sandbox.close()
  })

  it('that has ended meanwhile is not given to anyone', async () => {
    const spare = await ready()
    if (spare !== undefined) process.kill(spare, 'SIGKILL')
    await vi.waitFor(() => expect(own()).toEqual([]), guard)
    const sandbox = await open()
    expect(await sandbox.execute('echo here')).toMatchObject({ stdout: 'here\n' })
    expect(sandbox.generation).toBe(1)
    await sandbox.close()
  })

  it('ends with its host, which waits for it', async () => {
    await ready()
    await host.close()
    expect(own()).toEqual([])
  })
})

/** What a text says without the seconds and times in it. */
function timeless(text: string): string {
  return text.replaceAll(/^(SECONDS|COLUMNS|LINES)=.*$/gm, '').replaceAll(/\w{3} +\d+ \d\d:\d\d/g, '')
}

/** When a process began, in ticks of the system's clock. */
function startOf(pid: number): number {
  const [, fields = ''] = /\) (.*)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
  return Number(fields.split(' ')[19])
}

/** The process of a jail that starts its shell, and which is below two of `bwrap`. */
function supervisorsOf(pid: number): number[] {
  const children = (parent: number): number[] => {
    try {
      const text = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8')
      return text.split(' ').filter(Boolean).map(Number)
    } catch {
      return [] // It has ended.
    }
  }
  const isShell = (each: number) => readFileSync(`/proc/${each}/comm`, 'utf8') === 'sh\n'
  return children(pid).flatMap(children).filter(isShell)
}
