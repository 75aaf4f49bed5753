import { expect, it } from 'vitest'
import { nativeError } from '../../../../worker/engines/strands/native-error.ts'
import { FarError } from '../../../../worker/service/far-error.ts'

it('says of a panic that the session is lost', () => {
  const message = 'the engine panicked while it ran this call'
  const error = nativeError(new Error('worker thread panicked: attempt to divide with overflow'))
  expect(error).toBeInstanceOf(FarError)
  expect(error).toMatchObject({
    data: { code: 'WORKER_LOST', message, loss: { code: 'ENGINE_PANIC', message } },
  })
})

it('says of output that is longer than any string which limit it passed', () => {
  const detail = 'Failed to convert rust `String` into napi `string`'
  expect(nativeError(new Error(detail))).toMatchObject({
    data: {
      code: 'LIMIT_EXCEEDED',
      message: 'The command ran, but its output is longer than any string can be. Send it to a file instead.',
      limit: { name: 'string length', value: 0x1fff_ffe8 },
      detail,
    },
  })
})

it.each([new Error('ENOENT\t/x\t/x: no such file'), 'worker thread panicked', undefined])(
  'leaves any other error as it is (%s)',
  (error) => {
    expect(nativeError(error)).toBe(error)
  },
)
