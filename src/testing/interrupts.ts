import assert from 'node:assert/strict'
import { SandboxAbortError, SandboxTimeoutError } from '../sandbox/errors.ts'
import { eventsOf, rejection, type Statements } from './contract-test.ts'

/** What a sandbox must do when a caller's time or patience is over. */
export const interrupts: Statements = {
  'a timeout rejects with SandboxTimeoutError, soon, and the sandbox stays usable': async ({ sandbox }) => {
    const start = performance.now()
    await assert.rejects(sandbox.execute('sleep 4', { timeout: 0.2 }), (error) => {
      assert.ok(error instanceof SandboxTimeoutError)
      assert.deepEqual(
        [error.code, typeof error.stdout, typeof error.stderr],
        ['TIMEOUT', 'string', 'string'],
      )
      return true
    })
    assert.ok(performance.now() - start < 3_900, 'the call rejected only when its command had ended')
    assert.equal((await sandbox.execute('echo on')).stdout, 'on\n')
  },

  'an abort rejects with SandboxAbortError and its reason, soon, and the sandbox stays usable': async ({
    sandbox,
  }) => {
    const abort = new AbortController()
    const reason = new Error('enough')
    const start = performance.now()
    setTimeout(() => abort.abort(reason), 100)
    await assert.rejects(sandbox.execute('sleep 4', { signal: abort.signal }), (error) => {
      assert.ok(error instanceof SandboxAbortError)
      assert.deepEqual([error.code, error.cause], ['ABORTED', reason])
      return true
    })
    assert.ok(performance.now() - start < 3_900, 'the call rejected only when its command had ended')
    assert.equal((await sandbox.execute('echo on')).stdout, 'on\n')
  },

  'a signal that is already aborted starts nothing': async ({ sandbox, directory }) => {
    const call = () => sandbox.execute(`echo x > '${directory}/ran'`, { signal: AbortSignal.abort() })
    assert.deepEqual(await rejection(call), { code: 'ABORTED' })
    assert.deepEqual(await sandbox.listFiles(directory), [])
  },

  'timeouts and aborts of streams and code reject as those of commands': async ({ sandbox }) => {
    assert.deepEqual(await rejection(() => eventsOf(sandbox.executeStreaming('sleep 3', { timeout: 0.1 }))), {
      code: 'TIMEOUT',
    })
    assert.deepEqual(await rejection(() => sandbox.executeCode('sleep 3', 'sh', { timeout: 0.1 })), {
      code: 'TIMEOUT',
    })
  },

  'a call that ends in time removes its listener from its signal': async ({ sandbox }) => {
    const { signal } = new AbortController()
    assert.equal((await sandbox.execute('echo a', { signal, timeout: 60 })).stdout, 'a\n')
    assert.equal(signal.aborted, false)
  },
}
