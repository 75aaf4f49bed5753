import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { MapResult, OneShotRequest } from '../../src/index.ts'
import { aborted, endOf, until } from '../faults/helpers.ts'
import { sharedHost } from '../host/helpers.ts'
import { bytesOf, result } from '../strands-shell/support/expected.ts'
import { temporaryDirectory } from '../strands-shell/support/temporary.ts'

/** An object that cannot be read. */
function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

describe('ShellHost.run', () => {
  it('puts files, runs the command, collects files and closes the sandbox', async () => {
    const host = sharedHost()
    const ran = await host.run('cat in/a b; tr a-z A-Z < in/a > out/c; echo "$X"', {
      files: { 'in/a': 'text\n', b: bytesOf('bytes\n'), 'out/keep': '' },
      collect: ['out/c', 'out/missing', '/tmp'].slice(0, 2),
      env: { X: 'given' },
    })
    expect(ran).toEqual(
      result({
        stdout: 'text\nbytes\ngiven\n',
        outputFiles: [{ name: 'c', content: bytesOf('TEXT\n'), mimeType: 'application/octet-stream' }],
      }),
    )
    expect(host.stats()).toMatchObject({ open: 0, leased: 0, opened: 1, closed: { closed: 1 } })
  })

  it.each([
    ['text', 'é\n'],
    ['bytes', bytesOf('é\n')],
    ['Base64', { base64: Buffer.from('é\n').toString('base64') }],
  ])('gives the command its standard input: %s', async (_, stdin) => {
    const host = sharedHost()
    expect(await host.run('cat; echo "[$X]"', { stdin, env: { X: '1' } })).toEqual(
      result({ stdout: 'é\n[1]\n' }),
    )
  })

  it.each([
    ['a number', 7, { code: 'INVALID_CONFIG', field: 'stdin' }],
    ['no Base64', { base64: '%' }, { code: 'INVALID_CONFIG', field: 'stdin.base64' }],
    ['more than 64 MiB', new Uint8Array(64 * 1024 * 1024 + 1), { code: 'LIMIT_EXCEEDED', limit: 'stdin' }],
  ])('refuses %s as standard input before a sandbox is opened', async (_, stdin, expected) => {
    const host = sharedHost()
    await expect(host.run('true', { stdin: stdin as never })).rejects.toMatchObject(expected)
    expect(host.stats().opened).toBe(0)
  })

  it.each([
    ['options', null],
    ['options', Promise.resolve({})],
    ['options', new AbortController().signal],
    ['colect', { colect: [] }],
    ['timout', { timout: 3 }],
    ['collect', { collect: 1 }],
    ['collect', { collect: '/tmp/out' }],
    ['collect[0]', { collect: [7] }],
    ['signal', { signal: revoked() }],
  ])('refuses %s that are not valid before a sandbox is opened', async (field, options) => {
    const host = sharedHost()
    await expect(host.run('true', options as never)).rejects.toMatchObject({ code: 'INVALID_CONFIG', field })
    expect(host.stats().opened).toBe(0)
  })

  it('closes the sandbox also when the call rejects', async () => {
    const host = sharedHost()
    const abort = new AbortController()
    const call = endOf(host.run('sleep 5', { signal: abort.signal }))
    await until(() => host.stats().running === 1)
    abort.abort()
    expect(await call).toEqual(aborted)
    expect(host.stats().open).toBe(0)
    expect(await endOf(host.run('true', { timeout: -1 }))).toMatchObject({ code: 'INVALID_CONFIG' })
  })
})

describe('timeout of ShellHost.run', () => {
  it.each(['strands', 'bash'] as const)('means what it means for execute (%s)', async (shell) => {
    const host = sharedHost()
    const endless = 'sleep 20'
    expect(await endOf(host.run(endless, { shell, timeout: 0.3 }))).toMatchObject({ code: 'TIMEOUT' })
    const sandbox = await host.open({ shell })
    expect(await endOf(sandbox.execute(endless, { timeout: 0.3 }))).toMatchObject({ code: 'TIMEOUT' })
    await sandbox.close()
    expect((await host.run('echo in time', { shell, timeout: 20 })).stdout).toBe('in time\n')
  })

  it('leaves the time limit of the host’s defaults as it is', async () => {
    const host = sharedHost({ defaults: { timeout: 0.3 } })
    expect((await host.run('while :; do :; done', { timeout: 20 })).exitCode).toBe(124)
    await expect(host.run('true', { timeout: -1 })).rejects.toMatchObject({ field: 'timeout' })
  })
})

describe('files of ShellHost.run', () => {
  it.each(['strands', 'bash'] as const)('are those of a config, and may be relative (%s)', async (shell) => {
    const source = await temporaryDirectory()
    await writeFile(join(source, 'a'), 'of the host\n')
    const host = sharedHost({ defaults: { files: { '/data/under': 'under\n' }, cwd: '/data' } })
    const ran = await host.run('pwd; cat under over sub/in copy/a; ready', {
      shell,
      files: { '/data/over': 'over\n', 'sub/in': 'relative\n', copy: { directory: source } },
      init: 'ready() { echo ready; }',
    })
    expect(ran.stdout).toBe('/data\nunder\nover\nrelative\nof the host\nready\n')
    const refused = host.run('true', { shell, files: { '../a': '' } })
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'files["../a"]' })
  })
})

const text = ({ index, ...end }: MapResult) =>
  `${index}:${end.status === 'fulfilled' ? end.value.stdout.trim() : 'rejected'}`

describe('ShellHost.map', () => {
  it('keeps the order of the requests, or not; an error is the result of its own request', async () => {
    const host = sharedHost()
    const requests: OneShotRequest[] = [
      { command: 'sleep 0.6; echo slow' },
      { command: 'echo quick' },
      { command: 'echo refused', timeout: -1 },
    ]
    const ordered: string[] = []
    for await (const end of host.map(requests, { concurrency: 3 })) ordered.push(text(end))
    expect(ordered).toEqual(['0:slow', '1:quick', '2:rejected'])
    const ready: string[] = []
    for await (const end of host.map(requests, { concurrency: 3, ordered: false })) ready.push(text(end))
    expect(ready).toEqual(['2:rejected', '1:quick', '0:slow'])
  })

  it('runs no further ahead than the consumer allows', async () => {
    const host = sharedHost()
    let taken = 0
    async function* requests(): AsyncGenerator<OneShotRequest> {
      for (; taken < 50; taken++) yield { command: `echo ${taken}` }
    }
    let seen = 0
    for await (const end of host.map(requests(), { concurrency: 4 })) {
      expect(text(end)).toBe(`${seen}:${seen}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
      seen += 1
      expect(taken - seen).toBeLessThanOrEqual(4)
      expect(host.stats().open).toBeLessThanOrEqual(4)
    }
    expect(seen).toBe(50)
  })

  it('gives results also where the next request waits for them, and ends where none comes', async () => {
    const host = sharedHost()
    const given: string[] = []
    let more: (() => void) | undefined
    async function* requests(): AsyncGenerator<OneShotRequest> {
      for (let made = 0; ; made++) {
        yield { command: `echo ${made}` }
        await new Promise<void>((resolve) => {
          more = resolve
        })
      }
    }
    for await (const end of host.map(requests())) {
      given.push(text(end))
      if (given.length === 3) break
      more?.()
    }
    expect(given).toEqual(['0:0', '1:1', '2:2'])
  })

  it('gives up what runs when the consumer stops, and closes the requests', async () => {
    const host = sharedHost()
    let finished = false
    function* requests(): Generator<OneShotRequest> {
      try {
        yield { command: 'echo a' }
        for (;;) yield { command: 'sleep 20' }
      } finally {
        finished = true
      }
    }
    const start = performance.now()
    for await (const _ of host.map(requests(), { concurrency: 3 })) break
    expect(performance.now() - start).toBeLessThan(10_000)
    expect([finished, host.stats().open]).toEqual([true, 0])
  })

  it('ends with the error of its requests, after what had begun', async () => {
    const host = sharedHost()
    function* requests(): Generator<OneShotRequest> {
      yield { command: 'echo a' }
      throw new Error('no more')
    }
    const seen: string[] = []
    const consume = async () => {
      for await (const end of host.map(requests())) seen.push(text(end))
    }
    await expect(consume()).rejects.toThrow('no more')
    expect(seen).toEqual(['0:a'])
  })

  const none = null as never
  it.each([
    ['concurrency', [], { concurrency: 0 }],
    ['ordered', [], { ordered: 1 as never }],
    ['concurency', [], { concurency: 1 } as never],
    ['options', [], none],
    ['requests', none, {}],
    ['requests', 'echo 1' as never, {}],
    ['requests', { command: 'echo 1' } as never, {}],
  ])('refuses %s that are not valid', async (field, requests: OneShotRequest[], options) => {
    const consume = async () => {
      for await (const _ of sharedHost().map(requests, options));
    }
    await expect(consume()).rejects.toMatchObject({ code: 'INVALID_CONFIG', field })
  })

  it('rejects a request that is none, and goes on', async () => {
    const requests = [
      none,
      { command: 'true', signal: 1 as never },
      { command: 'true', timout: 1 } as never,
      { command: 'echo last' },
    ]
    const ends: unknown[] = []
    for await (const end of sharedHost().map(requests))
      ends.push(end.status === 'fulfilled' ? end.value.stdout : end.reason)
    expect(ends).toMatchObject([{ field: 'request' }, { field: 'signal' }, { field: 'timout' }, 'last\n'])
  })

  it('takes a signal that is none of this realm', async () => {
    const signal = Object.assign(new EventTarget(), { aborted: true, reason: 'over' }) as AbortSignal
    for await (const end of sharedHost().map([{ command: 'true', signal }]))
      expect(end).toMatchObject({ status: 'rejected', reason: { code: 'ABORTED' } })
  })
})
