import { describe, expect, it } from 'vitest'
import { endOf, failureOf, faultySandbox, printed, protocol, until } from './helpers.ts'

describe('an addon that throws', () => {
  it.each([
    ['rejects with an error', 'fault reject', 'the addon threw'],
    ['throws before it returns a promise', 'fault throw-at-once', 'the addon threw at once'],
    ['rejects with what is not an error', 'fault reject-text', 'no error at all'],
  ])('and %s rejects that call with a typed error, and the session lives on', async (_, command, text) => {
    const { sandbox, host } = faultySandbox()
    await sandbox.execute('x=kept')
    const calls = [sandbox.execute(command), sandbox.execute('echo $x')]
    const error = await Promise.resolve(calls[0]).catch((error: unknown) => error)
    expect(failureOf(error)).toMatchObject({ name: 'SandboxIoError', code: 'IO_ERROR' })
    expect(String(error)).toContain(text)
    expect(await calls[1]).toEqual(printed('kept\n'))
    expect([sandbox.status, sandbox.generation]).toEqual(['open', 1])
    expect(host.stats()).toMatchObject({ workers: 1, leased: 1, idle: 0, retired: 0 })
  })

  it('under a file operation rejects it with a typed error, and the session lives on', async () => {
    const { sandbox } = faultySandbox()
    expect(await endOf(sandbox.readFile('/fault'))).toMatchObject({ code: 'IO_ERROR' })
    expect(await sandbox.execute('echo a')).toEqual(printed('a\n'))
    expect(sandbox.generation).toBe(1)
  })

  it.each([
    ['a status that is no number', 'fault status-text'],
    ['no output', 'fault no-stdout'],
  ])('or answers with %s never gives the caller a result of the wrong shape', async (_, command) => {
    const { sandbox, host } = faultySandbox()
    const { code } = failureOf(await sandbox.execute(command).catch((error: unknown) => error))
    expect([protocol.code, 'IO_ERROR', 'WORKER_LOST']).toContain(code)
    expect(await sandbox.execute('echo a')).toEqual(printed('a\n'))
    await until(() => host.stats().workers === 1)
  })
})
