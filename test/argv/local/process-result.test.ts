import { expect, it } from 'vitest'
import { toResult } from '../../../src/argv/local/process-result.ts'
import { SandboxIoError, SandboxPathNotFoundError } from '../../../src/sandbox/errors.ts'
import { localSandbox } from '../helpers.ts'

const spec = { argv: ['tool'], cwd: '/work', env: {}, timeout: 1, maxOutput: 10 }
const notStarted = (code: string) => ({ how: 'not started', code, message: `spawn tool ${code}` }) as const

it('a workdir removed between two steps is not reported as a missing program', () => {
  const call = () => toResult(notStarted('ENOENT'), spec, false)
  expect(call).toThrow(SandboxPathNotFoundError)
  expect(call).toThrow('The workdir /work is gone.')
})

it('a failure to fork is an error, not a result', () => {
  const call = () => toResult(notStarted('EAGAIN'), spec, true)
  expect(call).toThrow(SandboxIoError)
  expect(call).toThrow('"tool" could not be started: spawn tool EAGAIN')
})

it('an argv that is too long for the system gives the result of a program that cannot be executed', async () => {
  expect(await localSandbox().exec(['echo', 'x'.repeat(4_000_000)])).toMatchObject({
    output: 'Command cannot be run: "echo" (E2BIG)',
    exitCode: 126,
  })
})
