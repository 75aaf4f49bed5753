import { describe, expect, it } from 'vitest'
import { endOf, failureOf, faultySandbox, printed, timedOut } from './helpers.ts'

const limited = { name: 'SandboxLimitError', code: 'LIMIT_EXCEEDED' }

describe('maxPending', () => {
  it('rejects a call past it with a SandboxLimitError, and accepts again when one has ended', async () => {
    const { sandbox } = faultySandbox({ maxPending: 3 })
    await sandbox.open()
    const calls = ['fault slow', 'echo b', 'echo c', 'echo d'].map((command) => sandbox.execute(command))
    const error = await Promise.resolve(calls[3]).catch((error: unknown) => error)
    expect(failureOf(error)).toEqual(limited)
    expect(error).toMatchObject({ limit: 'maxPending', value: 3 })
    expect(await Promise.all(calls.slice(0, 3))).toEqual([printed('slow'), printed('b\n'), printed('c\n')])
    expect(await sandbox.execute('echo e')).toEqual(printed('e\n'))
    expect(sandbox.generation).toBe(1)
  })

  it('counts an abandoned command for as long as it runs', async () => {
    const { sandbox } = faultySandbox({ maxPending: 1 })
    await sandbox.open()
    expect(await endOf(sandbox.execute('fault slow', { timeout: 0.1 }))).toEqual(timedOut)
    expect(await endOf(sandbox.execute('echo a'))).toEqual(limited)
  })

  it('holds for calls that wait for the opening', async () => {
    const { sandbox } = faultySandbox({ maxPending: 2 })
    const calls = ['echo a', 'echo b', 'echo c', 'echo d'].map((command) => endOf(sandbox.execute(command)))
    expect(await Promise.all(calls)).toEqual([printed('a\n'), printed('b\n'), limited, limited])
  })

  it('of 1000 by default takes 1000 calls, in order', async () => {
    const { sandbox } = faultySandbox()
    await sandbox.execute('i=0; next() { i=$((i + 1)); echo $i; }')
    const calls = Array.from({ length: 1001 }, () => endOf(sandbox.execute('next')))
    expect(await Promise.all(calls)).toEqual(
      calls.map((_, index) => (index < 1000 ? printed(`${index + 1}\n`) : limited)),
    )
  })
})
