import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { localShell } from '../../src/posix/index.ts'
import { factsOf } from '../strands-shell/support/failure.ts'
import { temporaryDirectory } from '../strands-shell/support/temporary.ts'
import { byTier } from '../support/tier.ts'
import { runChild } from './support/children.ts'
import { describePlaces } from './support/places.ts'
import { childrenHere, countRunning, uniqueSleep } from './support/processes.ts'
import { result } from './support/result.ts'
import { until } from './support/until.ts'

const timedOut = (stdout: string, stderr = '') => ({
  name: 'SandboxTimeoutError',
  code: 'TIMEOUT',
  stdout,
  stderr,
})
const aborted = (stdout: string, stderr = '') => ({
  name: 'SandboxAbortError',
  code: 'ABORTED',
  stdout,
  stderr,
})

describePlaces('stopping', (place) => {
  const timeout = place.name === 'ssh' ? 2 : 0.5

  it('a timeout rejects with the output so far, and the whole tree of processes ends', async () => {
    const sandbox = place.open()
    const time = uniqueSleep()
    const command = `echo out; echo err >&2; (sleep ${time}; echo) & sh -c 'sleep ${time}; echo'; echo not`
    expect(await factsOf(sandbox.execute(command, { timeout }))).toEqual(timedOut('out\n', 'err\n'))
    await until(() => countRunning(time) === 0)
  })

  it('the sandbox’s own timeout holds where a call has none', async () => {
    const sandbox = place.open({ timeout })
    expect(await factsOf(sandbox.execute('echo a; sleep 4321'))).toEqual(timedOut('a\n'))
    expect(await sandbox.execute('sleep 0.1; echo b', { timeout: 60 })).toEqual(result({ stdout: 'b\n' }))
  })

  it('a command gets SIGTERM first, and the time to clean up', async () => {
    const sandbox = place.open({ cwd: place.directory, killGrace: 20 })
    const command = `trap 'echo more; sleep 0.2; echo cleaned > cleaned; exit' TERM; while :; do sleep 0.05; done`
    await factsOf(sandbox.execute(command, { timeout: 3 }))
    await until(() => existsSync(join(place.directory, 'cleaned')))
  })

  it('what ignores SIGTERM gets SIGKILL after the grace, and nothing cancels it', async () => {
    const time = uniqueSleep()
    const command = `(trap '' TERM; sleep ${time}; sleep ${time}) & trap '' TERM; sleep ${time}; sleep ${time}`
    await factsOf(place.open({ killGrace: 1.5 }).execute(command, { timeout: 3 }))
    expect(countRunning(time)).toBeGreaterThan(0)
    await until(() => countRunning(time) === 0)
  })

  it('what the command has in the background and ignores SIGTERM ends too, although the command has gone at once', async () => {
    const time = uniqueSleep()
    const command = `(trap '' TERM; sleep ${time}; sleep ${time}) & sleep ${time}`
    await factsOf(place.open({ killGrace: 0.2 }).execute(command, { timeout: 3 }))
    await until(() => countRunning(time) === 0)
  })

  it('what has a process group of its own gets SIGTERM too', async () => {
    const time = uniqueSleep()
    const command = `timeout 4321 sleep ${time} & timeout 4321 sleep ${time}`
    await factsOf(place.open({ killGrace: 300 }).execute(command, { timeout }))
    await until(() => countRunning(time) === 0)
  })

  it('what has a process group of its own and ignores SIGTERM gets SIGKILL', async () => {
    const time = uniqueSleep()
    const command = `timeout 4321 sh -c "trap '' TERM; sleep ${time}; sleep ${time}"`
    await factsOf(place.open({ killGrace: 0.2 }).execute(command, { timeout }))
    await until(() => countRunning(time) === 0)
  })

  it('an abort rejects with its reason and the output so far', async () => {
    const controller = new AbortController()
    const time = uniqueSleep()
    const events = place.open().executeStreaming(`echo a; sleep ${time}`, { signal: controller.signal })
    await events.next()
    const reason = new Error('changed my mind')
    controller.abort(reason)
    await expect(events.next()).rejects.toMatchObject({ ...aborted('a\n'), cause: reason })
    await until(() => countRunning(time) === 0)
  })

  it('a flood of output is stopped too', async () => {
    const text = uniqueSleep()
    await factsOf(place.open({ maxOutput: 100 }).execute(`yes ${text}`, { timeout }))
    await until(() => countRunning(`yes ${text}`) === 0)
  })

  it('a signal that is aborted already starts nothing', async () => {
    const sandbox = place.open({ cwd: place.directory })
    const signal = AbortSignal.abort()
    expect(await factsOf(sandbox.execute('echo > started', { signal }))).toEqual(aborted(''))
    await wait(100)
    expect(existsSync(join(place.directory, 'started'))).toBe(false)
  })

  it('leaving the stream early stops the command', async () => {
    const time = uniqueSleep()
    for await (const event of place.open().executeStreaming(`echo a; sleep ${time}`)) {
      expect(event).toEqual({ type: 'streamChunk', data: 'a\n', streamType: 'stdout' })
      break
    }
    await until(() => countRunning(time) === 0)
  })

  it('so does `return()` while an event is awaited, of code too', async () => {
    const time = uniqueSleep()
    const sandbox = place.open()
    for (const events of [
      sandbox.executeStreaming(`sleep ${time}`),
      sandbox.executeCodeStreaming(`sleep ${time}`, 'sh'),
    ]) {
      const pending = events.next()
      await until(() => countRunning(`sleep ${time}`) > 0)
      expect(await events.return()).toEqual({ done: true, value: undefined })
      expect(await pending).toEqual({ done: true, value: undefined })
      await until(() => countRunning(time) === 0)
    }
  })

  it('a stream that nobody reads starts nothing', async () => {
    const events = place.open({ cwd: place.directory }).executeStreaming('echo > unread')
    expect(await events.return()).toEqual({ done: true, value: undefined })
    expect(await events.next()).toEqual({ done: true, value: undefined })
    await wait(100)
    expect(existsSync(join(place.directory, 'unread'))).toBe(false)
  })

  it('nothing is left of many calls, ended and stopped: no process, no listener', async () => {
    const sandbox = place.open({ killGrace: 0.2 })
    const controller = new AbortController()
    const { signal } = controller
    const listeners = countListeners(signal)
    const time = uniqueSleep()
    const count = byTier({ default: 8, full: place.name === 'ssh' ? 4 : 20 })
    const all = (make: () => Promise<unknown>) => Promise.allSettled(Array.from({ length: count }, make))
    await all(() => sandbox.execute('echo a; sleep 0.01 &', { signal, timeout: 100 }))
    await all(() => sandbox.execute(`sleep ${time}`, { signal, timeout }))
    expect(listeners()).toBe(0)
    await until(() => countRunning(time) === 0)
    await until(() => childrenHere().filter((line) => /\b(sh|ssh|bash|dash) /.test(line)).length === 0)
  })
})

describe('when the process of the caller', () => {
  it('is killed, its commands end', async () => {
    const time = uniqueSleep()
    const child = await runChild(
      `await localShell().execute("(trap '' TERM; sleep ${time}; sleep ${time}) & sleep ${time}")`,
    )
    await until(() => countRunning(`sleep ${time}`) > 0)
    child.kill('SIGKILL')
    await until(() => countRunning(time) === 0)
  })

  it('has stopped its commands, it may end at once, and they end too', async () => {
    const time = uniqueSleep()
    const child = await runChild(
      `await localShell({ killGrace: 3 }).execute("trap '' TERM; sleep ${time}; sleep ${time}", { timeout: 0.5 }).catch(() => {})`,
    )
    await until(() => child.exitCode !== null)
    expect([child.exitCode, countRunning(time) > 0]).toEqual([0, true])
    await until(() => countRunning(time) === 0)
  })

  it('awaits a command, it lives; it ends when the command has, whatever that left behind', async () => {
    const directory = await temporaryDirectory()
    const time = uniqueSleep()
    const child = await runChild(
      `const r = await localShell({ cwd: ${JSON.stringify(directory)} }).execute("sleep 1; sleep ${time} & echo $! > pid; echo ok"); process.exitCode = r.stdout === 'ok\\n' ? 7 : 8`,
    )
    await until(() => child.exitCode !== null)
    expect([child.exitCode, countRunning(time)]).toEqual([7, 1])
    process.kill(Number(await readFile(join(directory, 'pid'), 'utf8')))
  })
})

describe('a local command', () => {
  it('that kills the shell around it is one that was killed', async () => {
    expect(await localShell().execute('echo a; kill -KILL $PPID; sleep 1')).toEqual(
      result({ exitCode: 137, stdout: 'a\n' }),
    )
    expect((await localShell().execute('kill -KILL 0')).exitCode).toBe(137)
  })
})

/** Counts the listeners that are added and not removed. */
function countListeners(signal: AbortSignal): () => number {
  let count = 0
  const { addEventListener, removeEventListener } = signal
  signal.addEventListener = (...args: unknown[]) => {
    count += 1
    Reflect.apply(addEventListener, signal, args)
  }
  signal.removeEventListener = (...args: unknown[]) => {
    count -= 1
    Reflect.apply(removeEventListener, signal, args)
  }
  return () => count
}
