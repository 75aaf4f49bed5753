import { describe, expect, test } from 'vitest'
import { ProtocolError } from '../../src/sandbox/errors.ts'
import type { ExecuteOptions, ExecutionEvent, ExecutionResult, FileInfo } from '../../src/sandbox/results.ts'
import { Sandbox } from '../../src/sandbox/sandbox.ts'
import { asyncRefusalOf } from './refusal.ts'

const chunk = (data: string): ExecutionEvent => ({ type: 'streamChunk', data, streamType: 'stdout' })
const result: ExecutionResult = {
  type: 'executionResult',
  exitCode: 3,
  stdout: 'ab',
  stderr: '',
  outputFiles: [],
  timedOut: false,
  truncated: false,
  durationMs: 1.5,
}

/** A sandbox that yields what it is told to, and keeps its files in a map. */
class ScriptedSandbox extends Sandbox {
  readonly calls: unknown[] = []
  readonly files = new Map<string, Uint8Array>()
  readonly #script: () => AsyncIterator<ExecutionEvent, void, undefined>

  constructor(script: () => AsyncIterator<ExecutionEvent, void, undefined>) {
    super()
    this.#script = script
  }

  override executeStreaming(
    command: string,
    options?: ExecuteOptions,
  ): AsyncGenerator<ExecutionEvent, void, undefined> {
    this.calls.push(['executeStreaming', command, options])
    return asGenerator(this.#script())
  }

  override executeCodeStreaming(
    code: string,
    language: string,
    options?: ExecuteOptions,
  ): AsyncGenerator<ExecutionEvent, void, undefined> {
    this.calls.push(['executeCodeStreaming', code, language, options])
    return asGenerator(this.#script())
  }

  override async readFile(path: string): Promise<Uint8Array> {
    return this.files.get(path) ?? new Uint8Array()
  }

  override async writeFile(path: string, content: Uint8Array): Promise<void> {
    this.files.set(path, content)
  }

  override async removeFile(path: string): Promise<void> {
    this.files.delete(path)
  }

  override async listFiles(): Promise<FileInfo[]> {
    return [...this.files.keys()].map((name) => ({ name }))
  }
}

/** Dresses a bare iterator as a generator, so that tests decide what its `return` does. */
function asGenerator(
  iterator: AsyncIterator<ExecutionEvent, void, undefined>,
): AsyncGenerator<ExecutionEvent, void, undefined> {
  return {
    next: () => iterator.next(),
    return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
    throw: (error) => Promise.reject(error),
    [Symbol.asyncIterator]() {
      return this
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

function yielding(
  events: readonly unknown[],
  log: string[] = [],
): () => AsyncIterator<ExecutionEvent, void, undefined> {
  return async function* () {
    try {
      for (const event of events) yield event as ExecutionEvent
      log.push('ran on')
    } finally {
      log.push('closed')
    }
  }
}

describe('execute and executeCode', () => {
  test('return the result that the stream ends with, and pass their arguments on', async () => {
    const sandbox = new ScriptedSandbox(yielding([chunk('a'), chunk('b'), result]))
    const options = { timeout: 1, cwd: '/w', env: { A: '1' } }
    expect(await sandbox.execute('exit 3', options)).toBe(result)
    expect(await sandbox.executeCode('exit(3)', 'lua', options)).toBe(result)
    expect(sandbox.calls).toEqual([
      ['executeStreaming', 'exit 3', options],
      ['executeCodeStreaming', 'exit(3)', 'lua', options],
    ])
  })

  test('close the stream once they have the result', async () => {
    const log: string[] = []
    await new ScriptedSandbox(yielding([result, chunk('late')], log)).execute('x')
    expect(log).toEqual(['closed'])
  })

  test('reject with a ProtocolError when no result came', async () => {
    const sandbox = new ScriptedSandbox(yielding([chunk('a')]))
    const message =
      "ended without an execution result: a sandbox's last event must be { type: 'executionResult', … }."
    await expect(sandbox.execute('x')).rejects.toEqual(new ProtocolError(`executeStreaming() ${message}`))
    await expect(sandbox.executeCode('x', 'y')).rejects.toEqual(
      new ProtocolError(`executeCodeStreaming() ${message}`),
    )
  })

  test('reject with a ProtocolError when the stream yields no event, and close it', async () => {
    const log: string[] = []
    await expect(new ScriptedSandbox(yielding([null], log)).execute('x')).rejects.toEqual(
      new ProtocolError('executeStreaming() yielded null instead of a chunk or a result.'),
    )
    expect(log).toEqual(['closed'])
  })

  test('reject with the error of the stream, close it, and let no second error hide the first', async () => {
    const first = new Error('first')
    let closed = 0
    const sandbox = new ScriptedSandbox(() => ({
      next: () => Promise.reject(first),
      return() {
        closed++
        return Promise.reject(new Error('second'))
      },
    }))
    await expect(sandbox.execute('x')).rejects.toBe(first)
    expect(closed).toBe(1)
  })

  test('reject when the stream cannot be closed after its result', async () => {
    const failure = new Error('cannot clean up')
    const sandbox = new ScriptedSandbox(() => ({
      next: () => Promise.resolve({ done: false, value: result }),
      return: () => Promise.reject(failure),
    }))
    await expect(sandbox.execute('x')).rejects.toBe(failure)
  })

  test('reject, and do not throw, when the stream cannot be made', async () => {
    const failure = new Error('no stream')
    const sandbox = new ScriptedSandbox(() => {
      throw failure
    })
    await expect(sandbox.execute('x')).rejects.toBe(failure)
  })
})

describe('readText and writeText', () => {
  test('use UTF-8 unless told otherwise', async () => {
    const sandbox = new ScriptedSandbox(yielding([]))
    await sandbox.writeText('/a', 'é')
    await sandbox.writeText('/b', 'é', 'latin1')
    expect([...sandbox.files]).toEqual([
      ['/a', Uint8Array.of(0xc3, 0xa9)],
      ['/b', Uint8Array.of(0xe9)],
    ])
    expect([await sandbox.readText('/a'), await sandbox.readText('/b', 'latin1')]).toEqual(['é', 'é'])
  })

  test('drop a byte order mark and replace invalid bytes, as the Strands SDK does', async () => {
    const sandbox = new ScriptedSandbox(yielding([]))
    await sandbox.writeFile('/a', Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0xff))
    expect(await sandbox.readText('/a')).toBe('a\ufffd')
  })

  test('refuse encodings and characters before any file is touched', async () => {
    const sandbox = new ScriptedSandbox(yielding([]))
    const refusals = [
      await asyncRefusalOf(() => sandbox.writeText('/a', 'x', 'utf-9')),
      await asyncRefusalOf(() => sandbox.readText('/a', 'utf-9')),
      await asyncRefusalOf(() => sandbox.writeText('/a', 'é', 'ascii')),
    ]
    expect(refusals.map(({ field }) => field)).toEqual(['encoding', 'encoding', 'content'])
    expect(sandbox.files.size).toBe(0)
  })
})

describe('getTools', () => {
  test('returns no tools by default', () => {
    expect(new ScriptedSandbox(yielding([])).getTools()).toEqual([])
  })
})
