import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { SandboxAbortError, SandboxClosedError } from '../../../src/sandbox/errors.ts'
import { until } from '../../faults/helpers.ts'
import { isRunning, localSandbox, temporaryDirectory } from '../helpers.ts'

/** A shell whose child ignores SIGTERM; both write their ids. */
const stubborn = [
  'sh',
  '-c',
  `sh -c 'trap "" TERM; echo $$ > child; while :; do sleep 0.05; done' & echo $$ > leader; echo begun; wait`,
]

describe('a local program', () => {
  it.each([
    ['the default time limit', { timeout: 0.2 }, undefined],
    ['the time limit of a call', { timeout: 30 }, { timeout: 0.2 }],
  ])('ends with 124 at %s', async (_, options, call) => {
    const started = performance.now()
    expect(await localSandbox(options).exec(['sleep', '30'], call)).toMatchObject({
      output: 'Command timed out after 0.2s',
      exitCode: 124,
    })
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  it('ends with its children at its timeout, also those that ignore SIGTERM, and keeps its output', async () => {
    const path = temporaryDirectory()
    const result = await localSandbox({ path }).exec(stubborn, { timeout: 1 })
    expect(result).toMatchObject({ output: 'begun\nCommand timed out after 1s', exitCode: 124 })
    await bothEnded(path)
  })

  it('ends with its children when its call is aborted', async () => {
    const path = temporaryDirectory()
    const controller = new AbortController()
    const call = localSandbox({ path }).exec(stubborn, { signal: controller.signal })
    await until(() => pidIn(path, 'child') !== undefined)
    const reason = new Error('enough')
    controller.abort(reason)
    const failure = await call.catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(SandboxAbortError)
    expect(failure).toMatchObject({ cause: reason, stdout: 'begun' })
    await bothEnded(path)
  })

  it('is not started by a call that is aborted already', async () => {
    const sandbox = localSandbox()
    const call = sandbox.exec(['touch', 'started'], { signal: AbortSignal.abort() })
    await expect(call).rejects.toBeInstanceOf(SandboxAbortError)
    expect(await sandbox.exec(['ls'])).toMatchObject({ output: '', exitCode: 0 })
  })

  it('ends with the sandbox: its call rejects with CLOSED', async () => {
    const path = temporaryDirectory()
    const sandbox = localSandbox({ path })
    const call = sandbox.exec(stubborn).catch((error: unknown) => error)
    await until(() => pidIn(path, 'child') !== undefined)
    await sandbox.close()
    expect(await call).toBeInstanceOf(SandboxClosedError)
    await bothEnded(path)
  })

  it('is not waited for in the background, where it holds the pipe, and ends with the sandbox', async () => {
    const path = temporaryDirectory()
    const sandbox = localSandbox({ path })
    const started = performance.now()
    const result = await sandbox.exec(['sh', '-c', 'sleep 59 & echo $! > child; echo $$ > leader; echo done'])
    expect(result).toMatchObject({ output: 'done', exitCode: 0 })
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(isRunning(Number(pidIn(path, 'child')))).toBe(true)
    await sandbox.close()
    await bothEnded(path)
  })

  it('that writes without end in the background does not hold the call', async () => {
    const { exitCode } = await localSandbox().exec(['sh', '-c', 'yes & exit 3'])
    expect(exitCode).toBe(3)
  })
})

/** A shell that moves its child to a group of its own, as `timeout` and job control do. */
const regrouping = ['bash', '-c', 'set -m; sleep 56 & echo $! > child; echo $$ > leader; wait']

describe.runIf(existsSync('/proc/self/stat'))('a child in a group of its own', () => {
  it('ends at the time limit', async () => {
    const path = temporaryDirectory()
    expect((await localSandbox({ path }).exec(regrouping, { timeout: 1 })).exitCode).toBe(124)
    await bothEnded(path)
  })

  it('ends with the sandbox', async () => {
    const path = temporaryDirectory()
    const sandbox = localSandbox({ path })
    const call = sandbox.exec(regrouping).catch((error: unknown) => error)
    await until(() => pidIn(path, 'leader') !== undefined)
    await sandbox.close()
    expect(await call).toBeInstanceOf(SandboxClosedError)
    await bothEnded(path)
  })
})

it('a program that ended before its timeout has a result, even if this thread was blocked', async () => {
  const sandbox = localSandbox()
  const call = sandbox.exec(['sh', '-c', 'sleep 0.2; echo done; exit 3'], { timeout: 1 })
  await sleep(10)
  await nextTurn()
  sandbox.execSync(['sleep', '1.5'])
  expect(await call).toMatchObject({ output: 'done', exitCode: 3 })
})

describe('a closed local sandbox', () => {
  it('rejects every call, and may be closed again', async () => {
    const sandbox = localSandbox()
    await sandbox.exec(['true'])
    await Promise.all([sandbox.close(), sandbox.close(), sandbox[Symbol.asyncDispose]()])
    const message = 'LocalSandbox has been closed.'
    await expect(sandbox.exec(['true'])).rejects.toThrow(message)
    await expect(sandbox.exec([])).rejects.toThrow(message)
    await expect(sandbox.putFile('a', new Uint8Array())).rejects.toThrow(message)
    await expect(sandbox.removeFile('a')).rejects.toThrow(message)
    expect(() => sandbox.execSync(['true'])).toThrow(message)
  })

  it('is left by `await using`', async () => {
    let inside: { exec(argv: string[]): Promise<unknown> }
    {
      await using sandbox = localSandbox()
      inside = sandbox
      expect(await sandbox.exec(['true'])).toMatchObject({ output: '', exitCode: 0 })
    }
    await expect(inside.exec(['true'])).rejects.toBeInstanceOf(SandboxClosedError)
  })
})

function pidIn(path: string, name: string): string | undefined {
  try {
    return readFileSync(join(path, name), 'utf8').trim() || undefined
  } catch {
    return undefined // Not written yet.
  }
}

/** Waits until this thread has left its timers. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

async function bothEnded(path: string): Promise<void> {
  const pids = [pidIn(path, 'leader'), pidIn(path, 'child')].map(Number)
  expect(pids.every((pid) => pid > 1)).toBe(true)
  await until(() => !pids.some(isRunning))
}
