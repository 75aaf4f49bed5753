import { describe, expect, test } from 'vitest'
import { isErrorData } from '../../src/sandbox/error-schema.ts'
import { MirrorError, SandboxError, SandboxIoError, UnsupportedError } from '../../src/sandbox/errors.ts'
import { rebuildError } from '../../src/sandbox/rebuild-error.ts'

/** What the class of an error tells, besides its message. */
function told(error: SandboxError): Record<string, unknown> {
  return { ...error, class: error.constructor, name: error.name, message: error.message }
}

describe('rebuildError', () => {
  test('makes of MIRROR_FAILED a MirrorError with what was written and the output', () => {
    const mirror = {
      written: ['/work/a'],
      pending: [{ path: '/work/b', reason: 'no space left on the device' }],
      output: { exitCode: 3, stdout: 'o', stderr: 'e' },
    }
    const error = rebuildError({ code: 'MIRROR_FAILED', message: 'not all was written', mirror })
    expect(error).toBeInstanceOf(SandboxError)
    expect(told(error)).toEqual({
      class: MirrorError,
      name: 'MirrorError',
      code: 'MIRROR_FAILED',
      message: 'not all was written',
      written: ['/work/a'],
      pending: [{ path: '/work/b', reason: 'no space left on the device' }],
      stdout: 'o',
      stderr: 'e',
      exitCode: 3,
    })
    expect('cause' in error).toBe(false)
  })

  test('leaves the output empty where no command ran, and keeps the detail as the cause', () => {
    const mirror = { written: [], pending: [] }
    const error = rebuildError({ code: 'MIRROR_FAILED', message: 'm', detail: 'EROFS', mirror })
    expect(told(error)).toMatchObject({ stdout: '', stderr: '', exitCode: undefined })
    expect(error.cause).toEqual(new Error('EROFS'))
  })

  test('keeps nothing of the data it was given', () => {
    const mirror = { written: ['/a'], pending: [{ path: '/b', reason: 'r' }] }
    const error = rebuildError({ code: 'MIRROR_FAILED', message: 'm', mirror })
    mirror.written.push('/c')
    Reflect.set(mirror.pending[0] ?? {}, 'path', '/d')
    expect(error).toMatchObject({ written: ['/a'], pending: [{ path: '/b', reason: 'r' }] })
  })

  test('makes of IO_ERROR a SandboxIoError', () => {
    expect(rebuildError({ code: 'IO_ERROR', message: 'm', path: '/a' })).toBeInstanceOf(SandboxIoError)
  })

  test('makes of UNSUPPORTED an UnsupportedError', () => {
    const data = { code: 'UNSUPPORTED', message: "The engine 'strands' does not support 'stat'." } as const
    expect(isErrorData(data)).toBe(true)
    const error = rebuildError(data)
    const { code, message } = data
    expect(told(error)).toEqual({ class: UnsupportedError, name: 'UnsupportedError', code, message })
  })
})

describe('isErrorData', () => {
  const output = { exitCode: 0, stdout: '', stderr: '' }
  test.each([
    [{ written: [], pending: [] }, true],
    [{ written: ['/a'], pending: [{ path: '/b', reason: 'r' }], output }, true],
    [undefined, false],
    [null, false],
    [[], false],
    [{ written: [] }, false],
    [{ written: '/a', pending: [] }, false],
    [{ written: [null], pending: [] }, false],
    [{ written: new Array(1), pending: [] }, false],
    [{ written: new Array(2 ** 32 - 1), pending: [] }, false],
    [{ written: [], pending: [null] }, false],
    [{ written: [], pending: [{ path: '/b' }] }, false],
    [{ written: [], pending: [{ path: 1, reason: 'r' }] }, false],
    [{ written: [], pending: [], output: null }, false],
    [{ written: [], pending: [], output: { ...output, exitCode: 256 } }, false],
    [{ written: [], pending: [], output: { ...output, stderr: 1 } }, false],
  ])('takes what was written to the host only in its shape (%#)', (mirror, right) => {
    expect(isErrorData({ code: 'MIRROR_FAILED', message: 'm', mirror })).toBe(right)
  })
})
