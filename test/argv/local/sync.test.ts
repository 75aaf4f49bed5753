import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ShellAdapter } from '../../../src/argv/index.ts'
import { SandboxAbortError } from '../../../src/sandbox/errors.ts'
import { until } from '../../faults/helpers.ts'
import { program } from '../../fixtures/program.ts'
import { isRunning, localSandbox } from '../helpers.ts'

describe('LocalSandbox.execSync', () => {
  it.each([
    ['an argv', ['printf', '%s|', 'a b', '', "it's"]],
    ['standard error and an exit code', ['sh', '-c', 'echo e >&2; echo o; exit 7']],
    ['a death by a signal', ['sh', '-c', 'kill -9 $$']],
    ['no such program', ['no-such-program-x']],
    ['an empty argv', []],
    ['long output', ['sh', '-c', 'head -c 300000 /dev/zero | tr "\\0" x']],
    ['bytes that are no text', ['printf', String.raw`\377`]],
    ['no standard input', ['cat']],
    ['a background process that holds the pipe', ['sh', '-c', 'sleep 58 & echo done']],
    ['a passed time limit', ['sh', '-c', 'echo begun; trap "" TERM; while :; do sleep 0.05; done']],
  ])('gives what exec gives: %s', async (_, argv) => {
    const sandbox = localSandbox({ timeout: 2 })
    const expected = await sandbox.exec(argv)
    const took = expected.durationMs === undefined ? {} : { durationMs: expect.any(Number) }
    expect(sandbox.execSync(argv)).toEqual({ ...expected, ...took })
  })

  it('ends the whole group at its time limit', async () => {
    const sandbox = localSandbox()
    const { output, exitCode } = sandbox.execSync(
      ['sh', '-c', `sh -c 'trap "" TERM; echo $$; while :; do sleep 0.05; done' & wait`],
      { timeout: 1 },
    )
    expect(exitCode).toBe(124)
    const [pid, notice] = output.split('\n')
    expect(notice).toBe('Command timed out after 1s')
    expect(Number(pid)).toBeGreaterThan(1)
    await until(() => !isRunning(Number(pid)))
  })

  it('starts nothing for a signal that is aborted already', () => {
    const call = () => localSandbox().execSync(['true'], { signal: AbortSignal.abort() })
    expect(call).toThrow(SandboxAbortError)
  })

  it('is what runSync of a shell adapter uses', () => {
    const adapter = new ShellAdapter(localSandbox(), { env: { A: 'b' } })
    expect(adapter.runSync('echo $A; exit 7')).toBe('b\n[exit code: 7]')
  })

  it('does not keep its process alive', () => {
    const root = fileURLToPath(new URL('../../..', import.meta.url))
    const script = program('test/argv/local/children/sync-child.ts')
    const output = execFileSync(process.execPath, [script], { cwd: root, timeout: 60_000 })
    expect(output.toString()).toBe('out\n')
  })
})
