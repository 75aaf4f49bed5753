import { describe, expect, it } from 'vitest'
import { StrandsShellSandbox } from '../../src/index.ts'
import { faultyHost, printed, until, watchWorkers } from './helpers.ts'

const traces = [
  'find /tmp /home | sort',
  'echo "[$variable][$exported]"',
  'pwd',
  'umask',
  'greet',
  'alias ls',
  'echo "$#:$1"',
  'echo $-',
  'trap',
  'readonly | grep fixed',
  'env | sort',
]

const litter = [
  'mkdir -p /tmp/work; echo secret > /tmp/work/file; echo secret > /home/lash/file',
  'variable=secret; export exported=secret',
  'greet() { echo secret; }',
  "alias ls='echo secret'",
  'set -- secret words',
  'umask 077',
  'readonly fixed=secret',
  "trap 'echo secret' EXIT",
  'set -f',
  'cd /tmp/work',
]

async function lookAround(sandbox: StrandsShellSandbox): Promise<unknown[]> {
  const seen: unknown[] = []
  for (const command of traces) seen.push({ ...(await sandbox.execute(command)), durationMs: 0 })
  return seen
}

describe('a recycled worker', () => {
  it('shows the next session no files, variables, functions, directory, aliases or flags of the last', async () => {
    const workers = watchWorkers()
    const host = faultyHost()
    const fresh = await StrandsShellSandbox.open({}, { host })
    const expected = await lookAround(fresh)
    await fresh.close()
    const first = await StrandsShellSandbox.open(
      { env: { GIVEN: 'secret' }, timeout: 7, umask: 0o077 },
      { host },
    )
    for (const command of litter) await first.execute(command)
    await first.setEnv('SET', 'secret')
    await first.writeText('/tmp/written', 'secret')
    await first.close()
    const second = await StrandsShellSandbox.open({}, { host })
    expect(await lookAround(second)).toEqual(expected)
    expect(await second.describe()).toMatchObject({ env: {}, timeout: 30 })
    expect(workers.length).toBe(1)
  })

  it('is reused after ordinary failures of its session', async () => {
    const workers = watchWorkers()
    const host = faultyHost()
    for (let round = 0; round < 3; round++) {
      const sandbox = await StrandsShellSandbox.open({}, { host })
      await sandbox.execute('exit 3')
      await sandbox.execute('if')
      await sandbox.readFile('/no/such/file').catch(() => undefined)
      await sandbox.close()
    }
    expect(workers.length).toBe(1)
  })

  it('gets none of the calls that were queued in its last session', async () => {
    const host = faultyHost()
    const first = await StrandsShellSandbox.open({}, { host })
    await first.execute('true')
    const late = first.execute('echo a > /tmp/late').catch(() => undefined)
    await first.close()
    await late
    await until(() => host.stats().leased === 0)
    const second = await StrandsShellSandbox.open({}, { host })
    expect(await second.execute('ls /tmp')).toEqual(printed(''))
  })
})
