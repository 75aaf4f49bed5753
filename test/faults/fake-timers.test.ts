import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, inject, it, vi } from 'vitest'
import type * as Package from '../../src/index.ts'
import { levelsOrThreadAndCell } from '../support/describe-engines.ts'
import { isFull } from '../support/tier.ts'

/** The package as it is built. Other tests have one whose timers they replace. */
const { ShellHost }: typeof Package = await import(
  /* @vite-ignore */ pathToFileURL(`${inject('programs')}/src/index.js`).href
)

/** All that the runner can replace in a process of its own. */
const toFake = [
  ...([
    'setTimeout',
    'clearTimeout',
    'setInterval',
    'clearInterval',
    'setImmediate',
    'clearImmediate',
  ] as const),
  ...(['Date', 'performance', 'hrtime', 'queueMicrotask', 'requestAnimationFrame'] as const),
]

afterEach(() => {
  vi.useRealTimers()
})

/** Each shell, and each kind of place: both of both in the full tier. */
const levelsOf = {
  strands: isFull ? levelsOrThreadAndCell : (['worker'] as const),
  bash: isFull ? levelsOrThreadAndCell : (['process'] as const),
}

describe.each(['strands', 'bash'] as const)('with timers that stand still, of %s', (shell) => {
  it.each(levelsOf[shell])('sandboxes open, run, are interrupted, and close: %s', async (isolation) => {
    vi.useFakeTimers({ toFake: [...toFake] })
    const host = new ShellHost({ isolation, idleTimeout: 0.05, warm: 1 })
    try {
      const sandbox = await host.open({ shell, timeout: 20 })
      expect((await sandbox.execute('echo a')).stdout).toBe('a\n')
      await sandbox.writeText('/tmp/a', 'x'.repeat(2 ** 20))
      expect((await sandbox.readText('/tmp/a')).length).toBe(2 ** 20)
      await expect(sandbox.execute('sleep 2.5', { timeout: 0.1 })).rejects.toMatchObject({
        code: 'TIMEOUT',
      })
      const abort = new AbortController()
      const call = sandbox.execute('sleep 0.4', { signal: abort.signal })
      abort.abort()
      await expect(call).rejects.toMatchObject({ code: 'ABORTED' })
      const chunks: string[] = []
      for await (const event of sandbox.executeStreaming('echo b')) chunks.push(JSON.stringify(event))
      expect(chunks.join('')).toContain('b\\n')
      const results = await Promise.all([1, 2].map((number) => host.run(`echo ${number}`, { shell })))
      expect(results.map(({ stdout }) => stdout)).toEqual(['1\n', '2\n'])
    } finally {
      await host.close()
    }
  })
})

it('a command that does not end is given up in its time', async () => {
  vi.useFakeTimers({ toFake: [...toFake] })
  const host = new ShellHost({ isolation: 'process' })
  try {
    const sandbox = await host.open({ shell: 'bash', timeout: 0.2 })
    expect(await sandbox.execute('while :; do :; done')).toMatchObject({ timedOut: true })
  } finally {
    await host.close()
  }
})
