import { describe, expect, it, onTestFinished } from 'vitest'
import type { HostedSandbox, SandboxEventMap, ShellHost } from '../../src/index.ts'
import type { Policy, Verdict } from '../../src/policy/types.ts'
import { closed, endOf, until, within } from '../faults/helpers.ts'
import { sharedHost } from './helpers.ts'

const never: Policy = () => new Promise(() => undefined)

async function open(policy: Policy, host: ShellHost = sharedHost()): Promise<HostedSandbox> {
  const sandbox = await host.open({ policy, policyTimeout: 60 })
  onTestFinished(() => sandbox.close())
  return sandbox
}

function verdictsOf(sandbox: HostedSandbox): SandboxEventMap['policy'][] {
  const told: SandboxEventMap['policy'][] = []
  sandbox.on('policy', (event) => told.push(event))
  return told
}

describe('a call that nobody waits for any more', () => {
  it('is told as not denied, and no policy is asked about those behind it', async () => {
    const asked: string[] = []
    const sandbox = await open((call, analysis) => {
      if (call.kind === 'command') asked.push(call.command)
      return never(call, analysis)
    })
    const told = verdictsOf(sandbox)
    const commands: (readonly [string | undefined, boolean])[] = []
    sandbox.on('command', ({ error, denied }) => commands.push([error, denied]))
    const stop = new AbortController()
    const calls = [
      sandbox.execute('1', { signal: stop.signal }),
      sandbox.execute('2', { signal: stop.signal }),
      sandbox.execute('3', { timeout: 0.05 }),
    ].map((call) => endOf(call))
    await until(() => asked.length === 1)
    await calls[2]
    stop.abort()
    await Promise.all(calls)
    const last = endOf(sandbox.execute('4'))
    await until(() => asked.length === 2)
    await sandbox.close()
    expect(await last).toEqual(closed)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(asked).toEqual(['1', '4'])
    expect(told).toEqual([])
    expect(commands).toEqual([
      ['TIMEOUT', false],
      ['ABORTED', false],
      ['ABORTED', false],
      ['CLOSED', false],
    ])
  })
})

describe('calls that wait for a policy settle', () => {
  it('when their host is closed', async () => {
    const host = sharedHost()
    const sandbox = await open(never, host)
    const calls = [endOf(sandbox.execute('true')), endOf(sandbox.getEnv('A'))]
    await host.close()
    expect(await within(60, Promise.all(calls))).toEqual([closed, closed])
  })

  it('when their host has drained, into a store or not', async () => {
    const host = sharedHost()
    const sandbox = await open(never, host)
    const call = endOf(sandbox.execute('true'))
    await host.drain({ grace: 0.05 })
    expect(await within(60, call)).toEqual(closed)
  })

  it('when a policy closes their sandbox', async () => {
    const sandbox: HostedSandbox = await open(async (): Promise<Verdict> => {
      await sandbox.close()
      return 'allow'
    })
    expect(await within(60, Promise.all([endOf(sandbox.execute('true')), endOf(sandbox.stat('/'))]))).toEqual(
      [closed, closed],
    )
  })
})

describe('a policy that calls a sandbox', () => {
  it('gets an error at once where that is its own one, also by way of another one', async () => {
    const ends: unknown[] = []
    const host = sharedHost()
    const sandbox: HostedSandbox = await open(async (call): Promise<Verdict> => {
      if (call.kind === 'command' && call.command === 'by other') ends.push(await endOf(other.execute('x')))
      else ends.push(await endOf(sandbox.readFile('/etc/passwd')))
      return 'allow'
    }, host)
    const other: HostedSandbox = await open(async () => {
      ends.push(await endOf(sandbox.execute('y')))
      return { deny: 'no' }
    }, host)
    const refused = { name: 'UnsupportedError', code: 'UNSUPPORTED' }
    expect(await within(60, sandbox.execute('exit 3'))).toMatchObject({ exitCode: 3 })
    expect(ends.splice(0)).toEqual([refused])
    await within(60, sandbox.execute('by other'))
    expect(ends.slice(0, 1)).toEqual([refused])
  })

  it('may call it once it has decided', async () => {
    let later: Promise<unknown> | undefined
    const sandbox: HostedSandbox = await open((call) => {
      if (call.kind === 'command' && later === undefined) {
        later = new Promise((resolve) => setTimeout(resolve, 50)).then(() => endOf(sandbox.getEnv('HOME')))
      }
      return 'allow'
    })
    await sandbox.execute('HOME=/x')
    expect(await within(60, later ?? Promise.resolve())).toBe('/x')
  })

  it('may do so by an approver of another sandbox', async () => {
    const host = sharedHost()
    const other = await open(() => 'allow', host)
    const sandbox = await open(
      () => ({ ask: async () => (await other.execute('true')).exitCode === 0 }),
      host,
    )
    expect(await within(60, sandbox.execute('exit 4'))).toMatchObject({ exitCode: 4 })
  })
})

it('shows a policy facts of the sandbox that it cannot change', async () => {
  const frozen: boolean[] = []
  const sandbox = await open(({ sandbox: about }) => {
    frozen.push(Object.isFrozen(about))
    return 'allow'
  })
  await sandbox.execute('true')
  expect(frozen).toEqual([true])
})
