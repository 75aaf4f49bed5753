import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applyDeadline } from '../../../../../worker/engines/strands/guards/deadline.ts'
import { Engine } from './engine.ts'

const MESSAGE = 'strands-shell: execution timeout exceeded\n'
const output = (exitCode: number, stderr: string, durationMs: number, timedOut = false) => ({
  exitCode,
  stdout: 'out',
  stderr,
  timedOut,
  truncated: false as const,
  durationMs,
})

describe('a command that ran to the deadline of the engine', () => {
  let engine: Engine
  beforeAll(() => {
    engine = Engine.start()
  })
  afterAll(() => engine.stop())

  it.each([
    ['sleep 5', 0, ''],
    ['(sleep 5)', 0, ''],
    ['while :; do :; done', 1, MESSAGE],
    ['printf x >&2; while :; do :; done', 1, `x${MESSAGE}`],
  ])('the engine alone answers %j with status %d', async (command, status, stderr) => {
    const start = performance.now()
    const raw = await engine.raw(command, ['timeout', 1])
    const durationMs = performance.now() - start
    expect(raw).toEqual({ status, stdout: '', stderr })
    const words = stderr.startsWith('x') ? `x\n${MESSAGE}` : MESSAGE
    expect(applyDeadline({ ...output(status, stderr, durationMs), stdout: '' }, 1)).toEqual({
      ...output(124, words, durationMs, true),
      stdout: '',
    })
  })

  it('says so once, however often the engine did', () => {
    expect(applyDeadline(output(0, `why\n${MESSAGE.repeat(8)}`, 1001), 1)).toEqual(
      output(124, `why\n${MESSAGE}`, 1001, true),
    )
  })

  it('is known by its words too when the clock was a little early', () => {
    expect(applyDeadline(output(1, MESSAGE, 990), 1)).toEqual(output(124, MESSAGE, 990, true))
    expect(applyDeadline(output(0, '', 990), 1)).toEqual(output(0, '', 990))
  })

  it('is not one that merely printed the same words', () => {
    expect(applyDeadline(output(1, MESSAGE, 500), 1)).toEqual(output(1, MESSAGE, 500))
  })
})
