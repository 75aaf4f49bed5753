import { describe, expect, test } from 'vitest'
import { SandboxConfigError, SandboxIoError, SessionLoss } from '../../src/sandbox/errors.ts'
import { lossError } from '../../src/sandbox/loss-error.ts'
import { foreignText, messageText } from '../../src/sandbox/message-text.ts'
import { rebuildError } from '../../src/sandbox/rebuild-error.ts'

describe('the message of an error', () => {
  test.each([
    ['a plain one', 'a "plain" message – é日本👍', 'a "plain" message – é日本👍'],
    ['lines of its own', 'two problems:\n- a\n- b', 'two problems:\n- a\n- b'],
    ['the clearing of a screen', 'a\u001b[2J\u009b31m', String.raw`a\u{1b}[2J\u{9b}31m`],
    ['a carriage return', 'a\rb', String.raw`a\u{d}b`],
    ['a turn of direction', 'a\u202egnp.exe', String.raw`a\u{202e}gnp.exe`],
    ['a line that is none of ASCII', 'a\u2028b', String.raw`a\u{2028}b`],
    ['half a character', 'a\ud800', String.raw`a\u{d800}`],
  ])('holds nothing that a terminal or a log would act on: %s', (_, message, shown) => {
    expect(messageText(message)).toBe(shown)
    expect(new SandboxConfigError(message, { field: 'a' }).message).toBe(shown)
  })

  test.each(['x', '\u0000', '👍'])('is cut at its maximum length (%j)', (character) => {
    const { message } = new SandboxIoError(character.repeat(100_000), { path: '/a' })
    expect(message.length).toBeLessThanOrEqual(8_001)
    expect([message.endsWith('…'), message.isWellFormed()]).toEqual([true, true])
  })

  test('is reduced to one line where the worker wrote it; the rest of the error is kept', () => {
    const path = '/a\n2024-01-01 all is well'
    const error = rebuildError({ code: 'PATH_NOT_FOUND', message: `no ${path}`, path, detail: 'a\nb' })
    expect(error.message).toBe(String.raw`no /a\n2024-01-01 all is well`)
    expect(error).toMatchObject({ path, cause: new Error(String.raw`a\nb`) })
    expect(lossError({ code: 'WORKER_FAILED', message: 'a\nb' }).message).toBe(
      String.raw`The session was lost: a\nb`,
    )
    expect(new SessionLoss('WORKER_FAILED', 'a\nb\u001b').message).toBe(String.raw`a\nb\u{1b}`)
    expect(foreignText('a\tb')).toBe(String.raw`a\u{9}b`)
  })
})
