import { expect, it, vi } from 'vitest'
import { panicLoss } from '../../../../../worker/engines/strands/guards/panic.ts'
import { Engine } from './engine.ts'

it('a panic of the engine, and every call after it, is recognised as the loss of the session', async () => {
  await using engine = Engine.start()
  const shell = await engine.shell()
  const failure = (call: Promise<unknown>) => call.then(() => null, panicLoss)
  const divide = 'echo $(( (-9223372036854775807-1) / -1 ))'
  expect(await failure(shell.run(divide))).toEqual({
    code: 'ENGINE_PANIC',
    message: 'the engine panicked while it ran this call',
  })
  // Until its thread has ended the engine says of a next call that it panicked as well.
  const gone = { code: 'ENGINE_PANIC', message: 'the engine panicked at an earlier call on this session' }
  await vi.waitFor(async () => expect(await failure(shell.run('true'))).toEqual(gone), { timeout: 60_000 })
  expect(await failure(shell.readFile('/tmp/x'))).toEqual(gone)
})

it.each([new Error('ENOENT\t/x\t/x: no such file'), new TypeError('x is not a function'), 'panicked', null])(
  '%j is no panic',
  (error) => {
    expect(panicLoss(error)).toBeNull()
  },
)
