import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SandboxError } from '../../src/index.ts'
import { describeEngines, type HostedEngine } from '../support/describe-engines.ts'
import type { EngineSandbox } from '../support/engines.ts'
import { byTier, cases } from '../support/tier.ts'
import { result } from './support/expected.ts'
import { factsOf, failureOf } from './support/failure.ts'

const refused = (field: string) => ({ name: 'SandboxConfigError', code: 'INVALID_CONFIG', field })
/** Of commands beyond the engine's bound of a line, 1 MiB. */
const mebibytes = byTier({ default: 2, full: 10 })
const manyBytes = mebibytes * 2 ** 20

describeEngines('odd input', oddInput)

function oddInput(engine: HostedEngine): void {
  const { messages } = engine
  const { inputTooLarge } = messages
  it.each([
    ['a NUL', '\0'],
    ['the first half of a surrogate pair', '\ud83d'],
    ['the second half of a surrogate pair', '\ude00'],
  ])('rejects %s in every text argument, and starts nothing', async (_what, odd) => {
    const sandbox = engine.create()
    const text = `a${odd}b`
    const call = <T>(field: string, promise: Promise<T>) => [field, promise] as const
    const calls = [
      call('command', sandbox.execute(text)),
      call('cwd', sandbox.execute('pwd', { cwd: `/${text}` })),
      call('env.NAME', sandbox.execute('pwd', { env: { NAME: text } })),
      call('code', sandbox.executeCode(text, 'sh')),
      call('language', sandbox.executeCode('', text)),
      call('path', sandbox.readFile(text)),
      call('path', sandbox.readText(text)),
      call('path', sandbox.writeFile(text, new Uint8Array(1))),
      call('path', sandbox.writeText(text, '')),
      call('path', sandbox.removeFile(text)),
      call('path', sandbox.listFiles(text)),
      call('name', sandbox.getEnv(text)),
      call('name', sandbox.setEnv(text, '')),
      call('value', sandbox.setEnv('NAME', text)),
    ]
    const facts = await Promise.all(calls.map(([, promise]) => factsOf(promise)))
    expect(facts).toEqual(calls.map(([field]) => refused(field)))
    expect(sandbox.status).toBe('new')
  })

  it('names of variables that mean something to a shell or to JavaScript are refused with their field', async () => {
    const sandbox = engine.create()
    const names = ['', 'A B', '1A', 'A=B', 'A-B', 'é', '$A', 'A;id', "A'", '-n', 'constructor', 'prototype']
    const facts = await Promise.all(
      names.map((name) => factsOf(sandbox.execute('true', { env: { [name]: 'x' } }))),
    )
    expect(facts).toEqual(
      names.map((name) =>
        refused(/^\w+$/.test(name) && !/^\d/.test(name) ? `env.${name}` : `env[${JSON.stringify(name)}]`),
      ),
    )
    const polluted = JSON.parse('{"env":{"__proto__":"x"}}')
    expect(await factsOf(sandbox.execute('true', polluted))).toEqual(refused('env.__proto__'))
  })

  it('names that are no options are refused, and a signal in the place of options, and nothing starts', async () => {
    const sandbox = engine.create()
    const { signal } = new AbortController()
    const mistyped: object = { timout: 3 }
    const drain = async (stream: AsyncIterable<unknown>) => {
      for await (const _ of stream);
    }
    const calls = [mistyped, signal].flatMap((options) => [
      sandbox.execute('true', options),
      sandbox.executeCode('', 'sh', options),
      sandbox.executeMany(['true'], options),
      drain(sandbox.executeStreaming('true', options)),
      drain(sandbox.executeCodeStreaming('', 'sh', options)),
      sandbox.removeFile('/tmp/a', options),
      sandbox.importDirectory('/nowhere', '/tmp/a', options),
      sandbox.exportDirectory('/tmp', '/nowhere', options),
      sandbox.changes(options),
    ])
    const facts = await Promise.all(calls.map(factsOf))
    expect(facts).toEqual(facts.map((_, index) => refused(index < calls.length / 2 ? 'timout' : 'options')))
    expect(sandbox.status).toBe('new')
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', 42],
    ['an array', ['ls']],
    ['an object', { toString: () => 'ls' }],
    ['a symbol', Symbol('ls')],
    ['a String object', Object('ls')],
    ['a function', () => 'ls'],
  ])('rejects %s as a command, path, code, language or variable', async (_what, odd) => {
    const sandbox = engine.create()
    const invoke = async (method: keyof EngineSandbox, ...args: unknown[]): Promise<unknown> => {
      const called: unknown = sandbox[method]
      if (typeof called !== 'function') throw new Error('there is no such method')
      return Reflect.apply(called, sandbox, args)
    }
    const facts = await Promise.all(
      [
        invoke('execute', odd),
        invoke('executeCode', odd, 'sh'),
        invoke('executeCode', '', odd),
        invoke('readFile', odd),
        invoke('writeFile', odd, new Uint8Array(1)),
        invoke('writeFile', '/tmp/a', odd),
        invoke('removeFile', odd),
        invoke('listFiles', odd),
        invoke('getEnv', odd),
        invoke('setEnv', odd, 'x'),
        invoke('setEnv', 'X', odd),
      ].map(factsOf),
    )
    const fields = [
      'command',
      'code',
      'language',
      'path',
      'path',
      'content',
      'path',
      'path',
      'name',
      'name',
      'value',
    ]
    expect(facts).toEqual(fields.map(refused))
    expect(sandbox.status).toBe('new')
  })

  it.each<[string, unknown, string]>([
    ['no object', 5, 'options'],
    ['null', null, 'options'],
    ['a string', '/tmp', 'options'],
    ['a timeout as text', { timeout: '1' }, 'timeout'],
    ['a timeout of NaN', { timeout: Number.NaN }, 'timeout'],
    ['a timeout of 0', { timeout: 0 }, 'timeout'],
    ['a negative timeout', { timeout: -1 }, 'timeout'],
    ['an endless timeout', { timeout: Number.POSITIVE_INFINITY }, 'timeout'],
    ['a huge timeout', { timeout: 1e300 }, 'timeout'],
    ['a timeout over a day', { timeout: 86_401 }, 'timeout'],
    ['a timeout of null', { timeout: null }, 'timeout'],
    ['a bigint timeout', { timeout: 1n }, 'timeout'],
    ['a cwd of null', { cwd: null }, 'cwd'],
    ['an empty cwd', { cwd: '' }, 'cwd'],
    ['a cwd that is a URL', { cwd: new URL('file:///tmp') }, 'cwd'],
    ['an env of null', { env: null }, 'env'],
    ['an env that is an array', { env: ['A=b'] }, 'env'],
    ['an env that is a Map', { env: new Map([['A', 'b']]) }, 'env'],
    ['a number in env', { env: { A: 1 } }, 'env.A'],
    ['undefined in env', { env: { A: undefined } }, 'env.A'],
    ['a signal that is none', { signal: {} }, 'signal'],
    ['a controller for a signal', { signal: new AbortController() }, 'signal'],
    ['a signal of null', { signal: null }, 'signal'],
  ])('rejects invalid options and names the field: %s', async (_what, options, field) => {
    const sandbox = engine.create()
    for (const method of ['execute', 'executeCode'] as const) {
      const args = method === 'execute' ? ['true', options] : ['', 'sh', options]
      expect(await factsOf(Reflect.apply(sandbox[method], sandbox, args))).toEqual(refused(field))
    }
    expect(sandbox.status).toBe('new')
  })

  it('options whose getters throw are refused with the thrown error as cause, and nothing starts', async () => {
    const sandbox = engine.create()
    const thrown = new Error('boom')
    const throwing = (name: string) =>
      Object.defineProperty({}, name, {
        enumerable: true,
        get: () => {
          throw thrown
        },
      })
    for (const options of [
      throwing('timeout'),
      throwing('cwd'),
      throwing('signal'),
      { env: throwing('A') },
    ]) {
      const error = await failureOf(sandbox.execute('true', options))
      expect([error.code, error.cause]).toEqual(['INVALID_CONFIG', thrown])
    }
    expect(sandbox.status).toBe('new')
  })

  it('options that change between two reads are read once', async () => {
    const sandbox = await engine.open()
    let reads = 0
    const options = Object.defineProperty({}, 'cwd', {
      enumerable: true,
      get: () => (reads++ === 0 ? '/tmp' : 5),
    })
    expect(await sandbox.execute('pwd', options)).toEqual(result({ stdout: '/tmp\n' }))
  })

  it('accepts undefined options and the longest timeout', async () => {
    const sandbox = await engine.open()
    const options = { timeout: 86_400, cwd: undefined, env: undefined, signal: undefined }
    expect(await sandbox.execute('echo a', options)).toEqual(result({ stdout: 'a\n' }))
  })

  it.runIf(engine.capabilities.manyLines)(`a command of ${mebibytes} MiB on many lines runs`, async () => {
    const sandbox = await engine.open({ timeout: 90 })
    const line = `: ${'x'.repeat(1021)}\n`
    const command = `${line.repeat(manyBytes / line.length)}echo end`
    expect(await sandbox.execute(command)).toEqual(result({ stdout: 'end\n' }))
  })

  it(`a command of ${mebibytes} MiB on one line gives a result and keeps the session`, async () => {
    const sandbox = await engine.open()
    const command = `echo ${'x'.repeat(manyBytes)}`
    const told = await sandbox.execute(command)
    if (inputTooLarge === undefined) {
      expect(told).toMatchObject({ exitCode: 0, truncated: { stdout: 1 } })
      expect(told.stdout.length).toBe(manyBytes)
    } else expect(told).toEqual(result(inputTooLarge(command.length)))
    expect(await sandbox.execute(command, { cwd: '/tmp' })).toMatchObject({ type: 'executionResult' })
    expect(await sandbox.execute('echo works')).toEqual(result({ stdout: 'works\n' }))
    expect(sandbox.generation).toBe(1)
  })

  it('a value of 1 MiB in env arrives whole', async () => {
    const sandbox = await engine.open({ limits: { maxInput: 8 * 1024 * 1024 } })
    const value = "x'".repeat(512 * 1024)
    expect(await sandbox.execute('printf "%s" "$BIG" > /tmp/big', { env: { BIG: value } })).toEqual(result())
    expect((await sandbox.readText('/tmp/big')) === value).toBe(true)
  })

  it('no text makes a call hang, crash or reject with anything but this package’s errors', async () => {
    const sandbox = await engine.open({ timeout: 2 })
    const words = [
      'a',
      '$x',
      '"',
      "'",
      '`',
      '(',
      ')',
      '{',
      '}',
      ';',
      '|',
      '&',
      '<',
      '>',
      '\n',
      '\\',
      '#',
      '$((',
      '${',
      'if',
      'do',
      ' ',
      '[',
      ']',
      '=',
      '!',
      '*',
      '<<E',
      'é',
    ]
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...words), { maxLength: 12 }), async (parts) => {
        const command = parts.join('')
        const outcome = await sandbox.execute(command).catch((error: unknown) => error)
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(SandboxError)
        else expect(outcome).toMatchObject({ type: 'executionResult' })
      }),
      { numRuns: cases(100) },
    )
    expect(await sandbox.execute('echo works').catch(() => sandbox.execute('echo works'))).toMatchObject({
      exitCode: 0,
      stdout: 'works\n',
    })
  })

  it('a buffer that was transferred to somebody else is refused as content, and nothing is written', async () => {
    await using sandbox = await engine.open()
    const content = new Uint8Array([1, 2, 3])
    structuredClone(content.buffer, { transfer: [content.buffer] })

    await expect(sandbox.writeFile('/tmp/f', content)).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field: 'content',
    })
    expect(await sandbox.listFiles('/tmp')).toEqual([])
  })
}
