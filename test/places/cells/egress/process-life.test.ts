import { execFile } from 'node:child_process'
import { expect, it } from 'vitest'
import { program } from '../../../fixtures/program.ts'

it.each([
  ['close', 'hello\nhello\nhello\nnothing left\n'],
  ['leave', 'hello\n'],
])('a process that has to %s a host whose cells used the network ends by itself', async (how, stdout) => {
  const ended = await new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [program('test/places/cells/egress/children/network-child.ts'), how],
      { timeout: 30_000, killSignal: 'SIGKILL', env: { ...process.env, NODE_OPTIONS: '' } },
      (_error, out, stderr) => resolve({ code: child.exitCode, stdout: out, stderr }),
    )
  })
  expect(ended).toEqual({ code: 0, stdout, stderr: '' })
})
