import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { OutputPipes } from '../../../src/argv/local/output-pipes.ts'
import { combine } from '../../../src/argv/output-text.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** The pipes of a process, and what is read of them once it has ended. */
function ended() {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const pipes = new OutputPipes({ stdout, stderr }, 1000)
  stdout.write('now\n')
  const finished = vi.fn()
  const output = pipes.finish().then((texts) => {
    finished()
    return combine(texts.stdout, texts.stderr, 1000)
  })
  return { stdout, stderr, output, finished }
}

it('reads what others write within a tenth of a second after the process has ended', async () => {
  const { stdout, stderr, output } = ended()
  await vi.advanceTimersByTimeAsync(99)
  stdout.end('late\n')
  stderr.end('late as well\n')
  expect(await output).toMatchObject({ output: 'now\nlate\nlate as well' })
  expect(vi.getTimerCount()).toBe(0)
})

it('does not wait longer for others that keep the pipes open', async () => {
  const { output, finished } = ended()
  await vi.advanceTimersByTimeAsync(99)
  expect(finished).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(2)
  expect(await output).toMatchObject({ output: 'now' })
})
