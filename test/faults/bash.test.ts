import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest'
import { BashSandbox } from '../../src/bash/index.ts'
import { tierLevels } from '../support/describe-engines.ts'
import { isFull } from '../support/tier.ts'
import { closed, endOf, faultyHost, lost, printed, until, within } from './helpers.ts'

/** Faults of a bash worker, and the cause that its callers learn. */
const causes = [
  ['throw', 'WORKER_FAILED'],
  ['exit', 'WORKER_EXITED'],
  ['heap', 'HEAP_EXHAUSTED'],
  ['stuck', 'DEADLINE_IGNORED'],
] as const

// In the default tier the fault matrix has the causes at each level.
describe.each(tierLevels)('a worker of the bash engine (%s)', { concurrent: true }, (isolation) => {
  const open = (atEnd: TestContext['onTestFinished'], timeout = 60) => {
    const host = faultyHost({ isolation, sandboxesPerWorker: 1, cellBackoff: 0.1 }, atEnd)
    const config = { timeout, limits: { maxMemory: 64 * 2 ** 20 } }
    return { host, make: () => BashSandbox.open(config, { host }) }
  }

  it.for(causes)(
    'that meets its end by "%s" is told once as %s; the next call goes on with what the last one left',
    async ([fault, cause], { expect, onTestFinished }) => {
      // Only what takes no step is to meet its deadline.
      const { host, make } = open(onTestFinished, fault === 'stuck' ? 3 : 60)
      const [sandbox, neighbour] = await Promise.all([make(), make()])
      await sandbox.execute('kept=1; echo x > /tmp/x')
      await neighbour.execute('kept=2')
      const calls = [
        sandbox.execute(`fault ${fault}`),
        sandbox.execute('echo never'),
        sandbox.executeCode('echo 1', 'bash'),
        sandbox.writeFile('/tmp/a', new Uint8Array(3)),
        sandbox.listFiles('/tmp'),
        sandbox.describe(),
      ].map(endOf)
      expect(await within(60, Promise.all(calls))).toEqual(calls.map(() => lost(cause)))
      expect([sandbox.status, sandbox.generation]).toEqual(['lost', 2])
      expect(await within(60, sandbox.execute('echo "[$kept]"; ls /tmp'))).toEqual(printed('[1]\nx\n'))
      expect(await neighbour.execute('echo $kept')).toEqual(printed('2\n'))
      expect(neighbour.generation).toBe(1)
      await Promise.all([sandbox.close(), neighbour.close()])
      await until(() => host.stats().retired === 0, 60)
    },
  )

  it('that is closed under a command without steps answers with CLOSED', async ({
    expect,
    onTestFinished,
  }) => {
    const { host, make } = open(onTestFinished)
    const sandbox = await make()
    const call = endOf(sandbox.execute('fault stuck'))
    await until(() => host.stats().running === 1)
    expect(await within(60, Promise.all([call, sandbox.close()]))).toEqual([closed, undefined])
  })
})

describe.each(isFull ? (['shared', 'process'] as const) : (['shared'] as const))(
  'a command without steps (%s)',
  (isolation) => {
    it.each([
      ['closed', { code: 'CLOSED' }],
      ['reset', { code: 'ABORTED' }],
    ] as const)('ends with its thread when its session is %s, and a neighbour goes on', async (how, code) => {
      const trigger = join(temporary(), 'trigger')
      const host = faultyHost({ isolation, sandboxesPerWorker: 2, maxCells: 1, hardening: 'none' })
      const config = { timeout: 600, onInterrupt: 'reset', env: { FAULT_TRIGGER: trigger } } as const
      const sandbox = await BashSandbox.open(config, { host })
      const neighbour = await BashSandbox.open({ timeout: 600 }, { host })
      await neighbour.execute('kept=1')
      const abort = new AbortController()
      const call = endOf(sandbox.execute('fault stuck', { signal: abort.signal }))
      await until(() => existsSync(`${trigger}.stuck`))
      const inFlight = endOf(neighbour.execute('echo half'))
      if (how === 'closed') await within(60, sandbox.close())
      else abort.abort()
      expect(await call).toMatchObject(code)
      expect(await within(60, inFlight)).toEqual(lost('WORKER_EXITED'))
      expect(await neighbour.execute('echo $kept')).toEqual(printed('1\n'))
    })
  },
)

describe.each(isFull ? (['shared', 'process'] as const) : (['shared'] as const))(
  'a neighbour that computes (%s)',
  (isolation) => {
    it('ends its command, although those that wait behind it time out and close', async () => {
      const source = temporary()
      const host = faultyHost({ isolation, sandboxesPerWorker: 3, maxCells: 1 })
      // Alike, so that they share a cell.
      const config = { timeout: 600, binds: [{ source, destination: '/work' }] }
      const [patient, closing, neighbour] = [
        await BashSandbox.open(config, { host }),
        await BashSandbox.open(config, { host }),
        await BashSandbox.open(config, { host }),
      ]
      await patient.execute('kept=1')
      const computed = endOf(
        neighbour.execute(
          ': > /work/begun; end=$((SECONDS + 4)); while ((SECONDS < end)); do :; done; echo done',
        ),
      )
      await until(() => existsSync(join(source, 'begun')))
      const waits = [
        endOf(patient.execute('echo never', { timeout: 0.5 })),
        endOf(closing.execute('echo never')),
      ]
      await within(60, closing.close())
      expect(await within(60, Promise.all(waits))).toMatchObject([{ code: 'TIMEOUT' }, { code: 'CLOSED' }])
      expect(await within(60, computed)).toEqual(printed('done\n'))
      expect(neighbour.generation).toBe(1)
      expect(await patient.execute('echo $kept')).toEqual(printed('1\n'))
    })
  },
)

/** A directory that the test's end removes. */
function temporary(): string {
  const path = mkdtempSync(join(tmpdir(), 'faults-bash-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}
