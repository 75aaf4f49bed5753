import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { describeEngines, type HostedEngine } from '../support/describe-engines.ts'
import { byTier } from '../support/tier.ts'
import { once, runInChild } from './support/child.ts'
import { result } from './support/expected.ts'
import { factsOf, failureOf } from './support/failure.ts'

const timedOut = { name: 'SandboxTimeoutError', code: 'TIMEOUT', stdout: '', stderr: '' }
const aborted = { name: 'SandboxAbortError', code: 'ABORTED', stdout: '', stderr: '' }

/** Of a thousand calls that share a signal. */
const batches = byTier({ default: 1, full: 10 })

describeEngines('time', time)

function time(engine: HostedEngine): void {
  const { capabilities, language } = engine

  it.each([
    ['a loop', 'while :; do :; done'],
    ['a pipeline', 'while :; do :; done | cat'],
  ])(
    'config.timeout ends %s with exit code 124, says so once, and keeps the session',
    async (_what, command) => {
      const sandbox = await engine.open({ timeout: 1 })
      await sandbox.execute('kept=yes; cd /tmp')
      expect(await sandbox.execute(command)).toEqual(
        result({ exitCode: 124, stderr: engine.messages.deadline(1), timedOut: true }),
      )
      expect(await sandbox.execute('echo $kept; pwd')).toEqual(result({ stdout: 'yes\n/tmp\n' }))
      expect(sandbox.generation).toBe(1)
    },
  )

  it('config.timeout ends what waits with exit code 124, says so once, and keeps the session', async () => {
    const commands = {
      'a bare sleep': ['sleep 30', ''],
      'a sleep at the end': ['echo a; sleep 30', 'a\n'],
      'a sleep in a subshell': ['(sleep 30)', ''],
      'a sleep that is followed by more': ['echo a; sleep 30; echo b', 'a\n'],
      'a wait for a background job': ['sleep 30 & wait', ''],
    } as const
    const rows = await inTurn(Object.entries(commands), async ([what, [command, stdout]]) => {
      const sandbox = await engine.open({ timeout: 1 })
      await sandbox.execute('kept=yes; cd /tmp')
      return { what, command, stdout, sandbox }
    })
    // All wait for their timeouts at once.
    const ended = await Promise.all(rows.map(({ sandbox, command }) => sandbox.execute(command)))
    const found = await inTurn(rows, async ({ what, sandbox }, index) => {
      const kept = await sandbox.execute('echo $kept; pwd')
      return { what, ended: ended[index], kept, generation: sandbox.generation }
    })
    expect(found).toEqual(
      rows.map(({ what, stdout }) => ({
        what,
        ended: result({ exitCode: 124, stdout, stderr: engine.messages.deadline(1), timedOut: true }),
        kept: result({ stdout: 'yes\n/tmp\n' }),
        generation: 1,
      })),
    )
  })

  it('config.timeout ends code with exit code 124 and says so once', async () => {
    const sandbox = await engine.open({ timeout: 1 })
    const ended = await sandbox.executeCode(language.endless, language.name)
    expect(ended).toEqual(result({ exitCode: 124, stderr: ended.stderr, timedOut: true }))
    expect(ended.durationMs).toBeGreaterThan(900)
    expect(ended.stderr.split(engine.messages.deadline(1).trim())).toHaveLength(2)
  })

  it('config.timeout is for each command: many short ones may take longer together', async () => {
    const sandbox = await engine.open({ timeout: 2 })
    const results = await Promise.all(Array.from({ length: 6 }, () => sandbox.execute('sleep 0.4; echo a')))
    expect(results).toEqual(results.map(() => result({ stdout: 'a\n' })))
  })

  it('a command that exits 124 or prints the timeout message is not taken for a timeout', async () => {
    const sandbox = await engine.open()
    expect(await sandbox.execute('exit 124')).toEqual(result({ exitCode: 124 }))
    const deadlineMessage = engine.messages.deadline(30)
    const lookalike = `echo '${deadlineMessage.trim()}' >&2; exit 1`
    expect(await sandbox.execute(lookalike)).toEqual(result({ exitCode: 1, stderr: deadlineMessage }))
  })

  it('a per-call timeout rejects with TIMEOUT when it expires, not when the command ends', async () => {
    const sandbox = await engine.open({ timeout: 10 })
    const start = performance.now()
    expect(await factsOf(sandbox.execute('sleep 4; echo late > /tmp/late', { timeout: 0.1 }))).toEqual(
      timedOut,
    )
    expect(performance.now() - start).toBeLessThan(3500)
    expect(sandbox.status).toBe('open')
  })

  it('a per-call timeout counts from the call, also while the sandbox opens or another call runs', async () => {
    const sandbox = engine.create({ timeout: 20 })
    const first = sandbox.execute('sleep 0.4; echo first')
    expect(await factsOf(sandbox.execute('echo second', { timeout: 0.1 }))).toEqual(timedOut)
    expect(await first).toEqual(result({ stdout: 'first\n' }))
  })

  it('a call that times out while it waits never runs', async () => {
    const sandbox = await engine.open()
    const running = sandbox.execute('sleep 0.3; true')
    const waiting = sandbox.execute('touch /tmp/ran', { timeout: 0.05 })
    expect(await factsOf(waiting)).toEqual(timedOut)
    await running
    expect(await sandbox.listFiles('/tmp')).toEqual([])
  })

  it.runIf(capabilities.stopsAtOnce)(
    "with onInterrupt 'keep' the session stays, and the command ends at its next step",
    async () => {
      const sandbox = await engine.open()
      await sandbox.execute('kept=yes')
      const call = sandbox.execute('while :; do :; done; touch /tmp/done', { timeout: 0.05 })
      expect(await factsOf(call)).toEqual(timedOut)
      expect(await sandbox.execute('ls /tmp; echo $kept')).toEqual(result({ stdout: 'yes\n' }))
      expect(sandbox.generation).toBe(1)
    },
  )

  it.runIf(capabilities.stopsAtOnce)(
    'calls that are aborted together all end, and the session stays',
    async () => {
      const sandbox = await engine.open()
      await sandbox.execute('kept=yes')
      const stop = new AbortController()
      const loop = 'while :; do :; done'
      const calls = [loop, 'sleep 30', loop].map((command) =>
        factsOf(sandbox.execute(command, { signal: stop.signal })),
      )
      const next = sandbox.execute('echo $kept')
      stop.abort()
      expect(await Promise.all(calls)).toEqual([aborted, aborted, aborted])
      expect(await next).toEqual(result({ stdout: 'yes\n' }))
      expect(sandbox.generation).toBe(1)
    },
  )

  it.runIf(!capabilities.stopsAtOnce)(
    "with onInterrupt 'keep' the session stays, and later calls wait for the old command to end",
    async () => {
      const sandbox = await engine.open()
      await sandbox.execute('kept=yes')
      const call = sandbox.execute('sleep 0.3; echo done > /tmp/done', { timeout: 0.05 })
      expect(await factsOf(call)).toEqual(timedOut)
      expect(await sandbox.execute('cat /tmp/done; echo $kept')).toEqual(result({ stdout: 'done\nyes\n' }))
      expect(sandbox.generation).toBe(1)
    },
  )

  it("with onInterrupt 'reset' the next call runs at once, in a fresh session", async () => {
    const sandbox = await engine.open({ onInterrupt: 'reset', timeout: 20 })
    await sandbox.execute('kept=yes; echo x > /tmp/x')
    const start = performance.now()
    expect(await factsOf(sandbox.execute('sleep 10', { timeout: 0.05 }))).toEqual(timedOut)
    expect(sandbox.generation).toBe(2)
    expect(await sandbox.execute('echo "[$kept]"; ls /tmp')).toEqual(result({ stdout: '[]\n' }))
    expect(performance.now() - start).toBeLessThan(9000)
    expect([sandbox.status, sandbox.generation]).toEqual(['open', 2])
  })

  it("with onInterrupt 'reset' a call that has not begun does not reset the session", async () => {
    const sandbox = await engine.open({ onInterrupt: 'reset' })
    await sandbox.execute('kept=yes')
    const running = sandbox.execute('sleep 0.3; echo $kept')
    expect(await factsOf(sandbox.execute('true', { timeout: 0.05 }))).toEqual(timedOut)
    expect(await running).toEqual(result({ stdout: 'yes\n' }))
    expect(sandbox.generation).toBe(1)
  })

  it('a signal rejects the call with ABORTED and its reason', async () => {
    const sandbox = await engine.open()
    const controller = new AbortController()
    const reason = new Error('the user left')
    const call = sandbox.execute('sleep 0.3; true', { signal: controller.signal })
    controller.abort(reason)
    const error = await failureOf(call)
    expect(await factsOf(Promise.reject(error))).toEqual(aborted)
    expect(error.cause).toBe(reason)
    expect(await sandbox.execute('echo next')).toEqual(result({ stdout: 'next\n' }))
  })

  it('a signal that is aborted already starts nothing, not even the session', async () => {
    const sandbox = engine.create()
    const signal = AbortSignal.abort()
    expect(await factsOf(sandbox.execute('touch /tmp/ran', { signal }))).toEqual(aborted)
    expect(sandbox.status).toBe('new')
    await sandbox.open()
    expect(await factsOf(sandbox.execute('touch /tmp/ran', { signal }))).toEqual(aborted)
    expect(
      await factsOf(sandbox.executeCode(language.shell('touch /tmp/ran'), language.name, { signal })),
    ).toEqual(aborted)
    expect(await sandbox.listFiles('/tmp')).toEqual([])
  })

  it('a signal that fires after the call ended does nothing', async () => {
    const sandbox = await engine.open()
    const controller = new AbortController()
    const done = await sandbox.execute('echo a', { signal: controller.signal })
    controller.abort()
    expect(done).toEqual(result({ stdout: 'a\n' }))
    expect(await sandbox.execute('echo b')).toEqual(result({ stdout: 'b\n' }))
  })

  it('AbortSignal.timeout works like any other signal', async () => {
    const sandbox = await engine.open()
    const error = await failureOf(sandbox.execute('sleep 0.3; true', { signal: AbortSignal.timeout(20) }))
    expect(error.code).toBe('ABORTED')
    expect(error.cause).toMatchObject({ name: 'TimeoutError' })
  })

  it(`one signal passed to ${batches},000 calls leaves no listener and causes no warning`, async () => {
    const sandbox = await engine.open()
    const { signal } = new AbortController()
    const warnings: Error[] = []
    const onWarning = (warning: Error) => warnings.push(warning)
    process.on('warning', onWarning)
    let codes = 0
    for (let batch = 0; batch < batches; batch++) {
      const calls = Array.from({ length: 1000 }, () => sandbox.execute('true', { signal, timeout: 60 }))
      for (const { exitCode } of await Promise.all(calls)) codes += exitCode
    }
    process.off('warning', onWarning)
    expect({ codes, warnings, listeners: getEventListeners(signal, 'abort') }).toEqual({
      codes: 0,
      warnings: [],
      listeners: [],
    })
  })

  it.runIf(capabilities.deadlineIgnored)(
    'a command that ignores the engine’s deadline is a lost session two seconds later, and the next call works',
    async () => {
      const { report, ...end } = await runInChild({
        engine: engine.name,
        config: { isolation: engine.isolation, timeout: 1 },
        commands: [once(capabilities.deadlineIgnored ?? ''), once('echo next')],
      })
      expect(end).toEqual({ code: 0, signal: null, stderr: '' })
      expect(report?.outcomes).toEqual([
        { code: 'WORKER_LOST', cause: 'DEADLINE_IGNORED' },
        result({ stdout: 'next\n' }),
      ])
      const seconds = report?.seconds[0] ?? 0
      expect([seconds > 2.9, seconds < 30]).toEqual([true, true])
    },
  )
}

async function inTurn<T, R>(all: readonly T[], act: (one: T, index: number) => Promise<R>): Promise<R[]> {
  const found: R[] = []
  for (const [index, one] of all.entries()) found.push(await act(one, index))
  return found
}
