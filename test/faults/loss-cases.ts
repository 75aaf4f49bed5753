import { describe, expect, it } from 'vitest'
import { StrandsShellSandbox } from '../../src/index.ts'
import type { OpenFault } from '../fixtures/faulty-engine.ts'
import {
  closed,
  endOf,
  failingOpen,
  faultyHost,
  faultySandbox,
  lost,
  markedSandbox,
  newest,
  printed,
  until,
  watchWorkers,
  within,
} from './helpers.ts'

/** One way for a worker to end. */
export interface LossCase {
  readonly title: string
  /** The code of the cause that every call learns. */
  readonly cause: string
  /** The fault that ends the worker as it builds. */
  readonly open: OpenFault
  /** The command that is running when the worker ends. */
  readonly call: string
  /** The command that is answered before the worker ends. */
  readonly idle: string
  /** The command that is running when the sandbox is closed; the worker ends a moment later. */
  readonly closing: string
  /** How the worker answers that its shell is given up: by ending. */
  readonly closeMode: string
  /** Leaves out what is the same for every cause. */
  readonly brief?: boolean
  /** Ends the worker from outside, for commands that do not: between native calls, under which no thread may end. */
  readonly strike?: (worker: ReturnType<typeof newest>) => void
}

const noWorkers = { workers: 0, leased: 0, idle: 0, retired: 0 }

/** What a user can rely on when a worker ends, whenever and however it does. */
export function describeLoss({
  title,
  cause,
  open,
  call,
  idle,
  closing,
  closeMode,
  brief = false,
  strike,
}: LossCase): void {
  const underFault = async (begun: () => string | undefined) => {
    if (strike !== undefined) await until(() => begun() !== undefined)
  }
  const unlessBrief: (title: string, test: () => Promise<void>) => void = brief ? () => undefined : it
  describe(`a worker that ${title}`, () => {
    it('during open rejects every call that waited, and leaves no worker', async () => {
      const workers = watchWorkers()
      const { sandbox, host } = faultySandbox(failingOpen(open))
      const calls = [sandbox.open(), sandbox.execute('echo a'), sandbox.readFile('/tmp/a')].map(endOf)
      if (strike !== undefined) {
        await until(() => host.stats().leased === 1)
        strike(newest(workers))
      }
      expect(await within(60, Promise.all(calls))).toEqual([lost(cause), lost(cause), lost(cause)])
      expect(sandbox.status).toBe('new')
      await until(() => host.stats().workers === 0)
      expect(host.stats()).toMatchObject(noWorkers)
      const healthy = await StrandsShellSandbox.open({}, { host })
      expect(await healthy.execute('echo b')).toEqual(printed('b\n'))
    })

    it('during a call rejects all pending calls with WORKER_LOST, and the next one runs in a fresh session', async () => {
      const workers = watchWorkers()
      const { sandbox, host, begun } = markedSandbox()
      await sandbox.writeText('/tmp/of-the-lost-session', 'x')
      const calls = [
        sandbox.execute(call),
        sandbox.execute('echo never'),
        sandbox.executeCode('print(1)', 'lua'),
        sandbox.writeFile('/tmp/a', new Uint8Array(3)),
        sandbox.listFiles('/tmp'),
        sandbox.describe(),
      ].map(endOf)
      await underFault(begun)
      strike?.(newest(workers))
      expect(await within(60, Promise.all(calls))).toEqual(calls.map(() => lost(cause)))
      expect([sandbox.status, sandbox.generation]).toEqual(['lost', 2])
      expect(await sandbox.execute('ls /tmp')).toEqual(printed(''))
      expect([sandbox.status, sandbox.generation]).toEqual(['open', 2])
      await until(() => host.stats().workers === 1)
    })

    it('while idle is reported once: by the next call, not by those after it', async () => {
      const workers = watchWorkers()
      const { sandbox } = faultySandbox()
      await sandbox.execute(idle)
      strike?.(newest(workers))
      await until(() => sandbox.status === 'lost')
      expect(sandbox.generation).toBe(2)
      const calls = ['a', 'b', 'c'].map((word) => endOf(sandbox.execute(`echo ${word}`)))
      expect(await Promise.all(calls)).toEqual([lost(cause), printed('b\n'), printed('c\n')])
      expect([sandbox.status, sandbox.generation]).toEqual(['open', 2])
    })

    unlessBrief("keeps rejecting under onLost 'fail'", async () => {
      const workers = watchWorkers()
      const { sandbox, host, begun } = markedSandbox({ onLost: 'fail' })
      await sandbox.open()
      const pending = endOf(sandbox.execute(call))
      await underFault(begun)
      strike?.(newest(workers))
      expect(await within(60, pending)).toEqual(lost(cause))
      for (const again of [sandbox.execute('echo a'), sandbox.open(), sandbox.readFile('/tmp/a')]) {
        expect(await endOf(again)).toEqual(lost(cause))
      }
      expect([sandbox.status, sandbox.generation]).toEqual(['lost', 2])
      await until(() => host.stats().workers === 0)
      await sandbox.close()
      expect(await endOf(sandbox.execute('echo a'))).toEqual(closed)
    })

    it('as its sandbox is closed under a call rejects the call with CLOSED, and close() resolves', async () => {
      const workers = watchWorkers()
      const { sandbox, host, begun } = markedSandbox()
      await sandbox.open()
      const call = endOf(sandbox.execute(closing))
      await underFault(begun)
      const closes = sandbox.close()
      strike?.(newest(workers))
      expect(await within(60, Promise.all([call, closes]))).toEqual([closed, undefined])
      await until(() => host.stats().workers === 0)
      expect(sandbox.status).toBe('closed')
    })

    unlessBrief('as it answers close() lets close() resolve, and is not reused', async () => {
      const workers = watchWorkers()
      const host = faultyHost()
      const sandbox = new StrandsShellSandbox({ env: { HOSTILE: 'service' } }, { host })
      await sandbox.execute(`close-mode ${closeMode}`)
      const closes = sandbox.close()
      strike?.(newest(workers))
      await within(60, closes)
      await until(() => host.stats().workers === 0)
    })
  })
}
