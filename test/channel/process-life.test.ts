import { execFile } from 'node:child_process'
import { expect, it } from 'vitest'
import { program } from '../fixtures/program.ts'
import { echoCell } from './helpers.ts'

function run(
  scene: string,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [program('test/channel/children/host.ts'), scene, echoCell()],
      { timeout: 30_000, killSignal: 'SIGKILL', env: { ...process.env, NODE_OPTIONS: '' } },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    )
  })
}

it.each([
  ['open lanes', 'end\n'],
  ['a pending reply', 'reply\n'],
  ['a lost cell', 'end\n'],
])('a host with %s ends by itself when it has nothing to do', async (scene, stdout) => {
  expect(await run(scene)).toEqual({ code: 0, stdout, stderr: '' })
})
