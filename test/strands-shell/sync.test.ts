import { expect, it } from 'vitest'
import type { SandboxError } from '../../src/index.ts'
import { garbageCollector } from '../support/collector.ts'
import { describeEngines, threadLevels } from '../support/describe-engines.ts'
import type { EngineSandbox } from '../support/engines.ts'
import { byTier } from '../support/tier.ts'
import { result } from './support/expected.ts'
import { hostDirectory } from './support/host-tree.ts'

/** What a synchronous call throws, as callers can branch on it. */
function thrownBy(call: () => unknown): Pick<SandboxError, 'name' | 'code'> & { readonly message: string } {
  try {
    call()
  } catch (error) {
    if (error instanceof Error && 'code' in error) {
      return { name: error.name, code: error.code as SandboxError['code'], message: error.message }
    }
    throw error
  }
  throw new Error('the call did not throw')
}

/** Has the time of a call pass that has begun. One that a busy machine begins later than that is taken back, and made again. */
function timeOut(sandbox: EngineSandbox): void {
  for (let tries = 0; tries < 50 && sandbox.status === 'open'; tries++)
    expect(thrownBy(() => sandbox.sync.execute('sleep 4', { timeout: 0.1 })).code).toBe('TIMEOUT')
}

describeEngines(
  'synchronous calls',
  ({ open, create }) => {
    it('run commands in the session, whatever their exit code', async () => {
      const { sync } = await open()
      expect(sync.execute('cd /tmp; X=1; echo out; echo err >&2; exit 3')).toEqual(
        result({ exitCode: 3, stdout: 'out\n', stderr: 'err\n' }),
      )
      expect(sync.execute('echo $X; pwd').stdout).toBe('1\n/tmp\n')
    })

    it('accept the options of asynchronous calls', async () => {
      const { sync } = await open()
      const { stdout } = sync.execute('pwd; echo "$A"', {
        cwd: '/tmp',
        env: { A: "it's $HOME" },
        timeout: 10,
      })
      expect(stdout).toBe("/tmp\nit's $HOME\n")
    })

    it('write, read, list and remove files of any bytes', async () => {
      const { sync } = await open()
      const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => index % 256)
      for (let round = 0; round < 3; round++) {
        sync.writeFile('/tmp/sub/bytes', bytes)
        expect(Buffer.compare(sync.readFile('/tmp/sub/bytes'), bytes)).toBe(0)
      }
      expect(bytes.byteLength).toBe(300_000)
      expect(sync.listFiles('/tmp/sub')).toEqual([{ name: 'bytes', isDir: false, size: 300_000 }])
      sync.removeFile('/tmp/sub/bytes')
      expect(sync.listFiles('/tmp/sub')).toEqual([])
    })

    it('append, look at, make, move, copy and remove files and directories', async () => {
      const { sync } = await open()
      sync.makeDirectory('/tmp/sub/deep')
      sync.appendFile('/tmp/sub/log', Buffer.from('a'))
      sync.appendFile('/tmp/sub/log', Buffer.from('b'))
      sync.copy('/tmp/sub', '/tmp/copy')
      sync.move('/tmp/copy/log', '/tmp/copy/deep/log')
      expect(Buffer.from(sync.readFile('/tmp/copy/deep/log')).toString()).toBe('ab')
      expect(sync.stat('/tmp/copy/deep/log')).toMatchObject({ kind: 'file', size: 2 })
      expect(() => sync.removeFile('/tmp/sub')).toThrow(expect.objectContaining({ code: 'IO_ERROR' }))
      sync.removeFile('/tmp/sub', { recursive: true })
      expect([sync.exists('/tmp/sub'), sync.exists('/tmp/copy/log'), sync.exists('/tmp/copy')]).toEqual([
        false,
        false,
        true,
      ])
    })

    it('run in order with asynchronous calls that are pending, and those still settle', async () => {
      const sandbox = await open()
      const settled: number[] = []
      const pending = Array.from({ length: 20 }, async (_, i) => {
        await sandbox.execute(`log="$log ${i}"`)
        settled.push(i)
      })
      expect(sandbox.sync.execute('echo $log').stdout).toBe(
        `${Array.from({ length: 20 }, (_, i) => i).join(' ')}\n`,
      )
      expect(settled).toEqual([])
      const after = sandbox.execute('echo after')
      expect(sandbox.sync.execute('log=; echo done').stdout).toBe('done\n')
      await Promise.all(pending)
      expect((await after).stdout).toBe('after\n')
    })

    it('can be mixed with hundreds of asynchronous calls', async () => {
      const sandbox = await open()
      const all: Promise<unknown>[] = []
      for (let i = 0; i < 100; i++) {
        const pending = sandbox.execute(`echo a${i}`)
        all.push(pending)
        expect(sandbox.sync.execute(`echo s${i}`).stdout).toBe(`s${i}\n`)
        if (i % 2 === 0) expect((await pending).stdout).toBe(`a${i}\n`)
      }
      await Promise.all(all)
    })

    it('end at their timeout, and the session goes on as onInterrupt says', async () => {
      const keep = await open({ onInterrupt: 'keep' })
      keep.sync.execute('X=kept')
      const start = performance.now()
      expect(thrownBy(() => keep.sync.execute('sleep 4', { timeout: 0.1 }))).toMatchObject({
        code: 'TIMEOUT',
      })
      expect(performance.now() - start).toBeLessThan(3500)
      expect(keep.sync.execute('echo $X').stdout).toBe('kept\n')

      const reset = await open({ onInterrupt: 'reset' })
      await reset.execute('X=kept')
      timeOut(reset)
      expect([reset.status, reset.generation]).toEqual(['lost', 2])
      expect((await reset.execute('echo "[$X]"')).stdout).toBe('[]\n')
    })

    it('reset the session at their timeout, also when they wait behind others', async () => {
      const sandbox = await open({ onInterrupt: 'reset' })
      const before = sandbox.execute('true')
      timeOut(sandbox)
      expect(sandbox.status).toBe('lost')
      expect(thrownBy(() => sandbox.sync.execute('true')).code).toBe('UNSUPPORTED')
      await before.catch(() => undefined)
      expect((await sandbox.execute('echo fresh')).stdout).toBe('fresh\n')
    })

    it.each(['keep', 'reset'] as const)(
      'that have not begun at their timeout never run (%s)',
      async (onInterrupt) => {
        const sandbox = await open({ onInterrupt })
        const before = sandbox.execute('sleep 0.5; X=kept')
        expect(thrownBy(() => sandbox.sync.execute('X=taken-back', { timeout: 0.1 })).code).toBe('TIMEOUT')
        expect(sandbox.sync.execute('echo $X').stdout).toBe('kept\n')
        await before
        expect(sandbox.status).toBe('open')
      },
    )

    it('do not time out other calls that were answered meanwhile', async () => {
      const [quick, slow] = [await open({ onInterrupt: 'reset' }), await open()]
      const answered = quick.execute('echo quick', { timeout: 0.3 })
      slow.sync.execute('sleep 0.6')
      expect((await answered).stdout).toBe('quick\n')
      expect(quick.generation).toBe(1)
    })

    it('keep rejecting under onLost: fail, as the asynchronous ones do', async () => {
      const sandbox = await open({ onInterrupt: 'reset', onLost: 'fail' })
      timeOut(sandbox)
      for (let call = 0; call < 2; call++)
        expect(thrownBy(() => sandbox.sync.execute('true')).code).toBe('WORKER_LOST')
    })

    it('free their memory without a turn of the event loop', async () => {
      const collect = garbageCollector()
      const calls = byTier({ default: 800, full: 2000 })
      const { sync } = await open()
      const round = () => {
        for (let call = 0; call < calls; call++) sync.execute('true')
        collect()
        return process.memoryUsage().heapUsed
      }
      const first = round()
      expect(round() - first).toBeLessThan(500 * calls)
    })

    it('refuse a signal that is aborted already', async () => {
      const { sync } = await open()
      expect(thrownBy(() => sync.execute('touch /tmp/x', { signal: AbortSignal.abort('why') })).code).toBe(
        'ABORTED',
      )
      expect(sync.listFiles('/tmp')).toEqual([])
    })

    it.each([
      ['a missing path', (sync: EngineSandbox['sync']) => sync.readFile('/none'), 'PATH_NOT_FOUND'],
      ['a path that is no text', (sync: EngineSandbox['sync']) => sync.readFile(''), 'INVALID_CONFIG'],
      [
        'a file that is too large',
        (sync: EngineSandbox['sync']) => sync.writeFile('/tmp/f', new Uint8Array(11)),
        'LIMIT_EXCEEDED',
      ],
      [
        'a place that cannot be written',
        (sync: EngineSandbox['sync']) => sync.writeFile('/dev/null/x', new Uint8Array(1)),
        expect.any(String),
      ],
    ])('throw for %s what the asynchronous ones reject with', async (_what, call, code) => {
      const { sync } = await open({ limits: { maxFileSize: 10 } })
      expect(thrownBy(() => call(sync))).toMatchObject({ code })
      expect(sync.execute('echo on').stdout).toBe('on\n')
    })

    it('throw UnsupportedError while the sandbox is not open', async () => {
      const sandbox = create()
      const { sync } = sandbox
      expect(thrownBy(() => sync.execute('true'))).toMatchObject({
        name: 'UnsupportedError',
        message: expect.stringMatching(/status is 'new'.*Await its open\(\) first/),
      })
      const opening = sandbox.open()
      expect(thrownBy(() => sync.execute('true')).message).toMatch(/'opening'/)
      await opening
      expect(sync.execute('echo open').stdout).toBe('open\n')
      await sandbox.close()
      expect(thrownBy(() => sync.execute('true')).code).toBe('CLOSED')
    })

    it('count towards maxPending', async () => {
      const sandbox = await open({ maxPending: 2 })
      const pending = [sandbox.execute('sleep 0.1'), sandbox.execute('sleep 0.1')]
      expect(thrownBy(() => sandbox.sync.execute('true')).code).toBe('LIMIT_EXCEEDED')
      await Promise.all(pending)
      expect(sandbox.sync.execute('echo on').stdout).toBe('on\n')
    })

    it('see a bound directory as the host has it', async () => {
      const source = await hostDirectory({ 'a.txt': 'host' })
      const sandbox = await open({ binds: [{ source, destination: '/work', mode: 'direct' }] })
      expect(sandbox.sync.execute('cat /work/a.txt; echo more > /work/b.txt').stdout).toBe('host')
      expect(sandbox.sync.listFiles('/work').map(({ name }) => name)).toEqual(['a.txt', 'b.txt'])
    })
  },
  threadLevels,
)

describeEngines(
  'synchronous calls of a sandbox in a cell',
  ({ open }) => {
    it('throw UnsupportedError, which names the levels that can', async () => {
      const sandbox = await open()
      expect(thrownBy(() => sandbox.sync.execute('true'))).toMatchObject({
        name: 'UnsupportedError',
        code: 'UNSUPPORTED',
        message: expect.stringMatching(/'process'.*isolation 'worker' or 'shared'/),
      })
      expect((await sandbox.execute('echo on')).stdout).toBe('on\n')
    })
  },
  ['process'],
)
