import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ArgvBridge, CodeAdapter, ShellAdapter } from '../../../src/argv/index.ts'
import {
  SandboxAbortError,
  SandboxClosedError,
  SandboxPathNotFoundError,
  SessionLoss,
  UnsupportedError,
  WorkerLostError,
} from '../../../src/sandbox/errors.ts'
import { temporaryDirectory, untyped } from '../helpers.ts'
import { shellSandbox, strandsSandbox } from './sandboxes.ts'

const text = (bytes: string) => new TextEncoder().encode(bytes)

describe('an ArgvBridge over Strands Shell', () => {
  it.each([
    ['an argv', ['echo', 'a', '*'], { output: 'a *', exitCode: 0 }],
    ['a pipeline of `sh -c`', ['sh', '-c', 'echo a | tr a b; exit 7'], { output: 'b', exitCode: 7 }],
    [
      'standard output, then standard error',
      ['sh', '-c', 'ls /nowhere; echo o'],
      { output: expect.stringMatching(/^o\n.*nowhere/), exitCode: 0 },
    ],
    ['an empty argv', [], { output: '', exitCode: 2 }],
    ['no such program', ['no-such-program'], { output: expect.stringContaining('not found'), exitCode: 127 }],
  ])('runs %s', async (_, argv, expected) => {
    const bridge = await ArgvBridge.open(strandsSandbox())
    expect(await bridge.exec(argv)).toMatchObject(expected)
  })

  it('runs in its workdir, which it makes, with the variables of the call over its own', async () => {
    const bridge = new ArgvBridge(strandsSandbox(), { workdir: '/tmp/deep/er', env: { A: 'a', B: 'b' } })
    const { output } = await bridge.exec(['sh', '-c', 'pwd; echo $A $B'], { env: { B: 'call' } })
    expect(output).toBe('/tmp/deep/er\na call')
  })

  it('leaves nothing in the session but files', async () => {
    const bridge = await ArgvBridge.open(strandsSandbox())
    await bridge.exec(['sh', '-c', 'cd /; X=1; echo kept > /tmp/file'])
    expect(await bridge.exec(['sh', '-c', 'pwd; echo "[$X]"; cat /tmp/file'])).toMatchObject({
      output: '/home/lash\n[]\nkept',
      exitCode: 0,
    })
  })

  it('gives 124 and `timed out` at the timeout of the call, the bridge and the sandbox', async () => {
    const expected = { output: expect.stringMatching(/timed out/), exitCode: 124 }
    const quick = await ArgvBridge.open(strandsSandbox({ onInterrupt: 'reset' }), { timeout: 0.2 })
    expect(await quick.exec(['sleep', '20'])).toMatchObject(expected)
    const bridge = await ArgvBridge.open(strandsSandbox({ onInterrupt: 'reset' }))
    expect(await bridge.exec(['sleep', '20'], { timeout: 0.2 })).toMatchObject(expected)
    const limited = await ArgvBridge.open(strandsSandbox({ timeout: 0.2 }))
    expect(await limited.exec(['sleep', '20'])).toMatchObject(expected)
  })

  it('rejects with the sandbox’s error on an abort and a lost session', async () => {
    const bridge = await ArgvBridge.open(strandsSandbox({ onInterrupt: 'reset' }))
    const aborted = bridge.exec(['sleep', '20'], { signal: AbortSignal.timeout(100) })
    await expect(aborted).rejects.toBeInstanceOf(SandboxAbortError)
    const lost = new WorkerLostError('gone', { cause: new SessionLoss('WORKER_EXITED', 'it exited') })
    const sandbox = {
      writeFile: async () => undefined,
      removeFile: async () => undefined,
      execute: () => Promise.reject(lost),
    }
    const bridgeOfLost = new ArgvBridge(sandbox, { workdir: '/tmp' })
    await expect(bridgeOfLost.exec(['true'])).rejects.toBe(lost)
  })

  it('writes files with their directories, and removes them', async () => {
    const sandbox = strandsSandbox()
    const bridge = await ArgvBridge.open(sandbox, { workdir: '/tmp/work' })
    await bridge.putFile('sub/note', Uint8Array.of(0, 255))
    expect([...(await sandbox.readFile('/tmp/work/sub/note'))]).toEqual([0, 255])
    await bridge.removeFile('sub/note')
    await bridge.removeFile('sub/note')
    await bridge.removeFile('never/was')
    await expect(sandbox.readFile('/tmp/work/sub/note')).rejects.toBeInstanceOf(SandboxPathNotFoundError)
  })

  it.each(['/tmp/note', '../note', 'a/../../note'])('refuses to write or remove %s', async (path) => {
    const bridge = new ArgvBridge(strandsSandbox(), { workdir: '/tmp/work' })
    await expect(bridge.putFile(path, text(''))).rejects.toMatchObject({ code: 'PERMISSION_DENIED', path })
    await expect(bridge.removeFile(path)).rejects.toMatchObject({ code: 'PERMISSION_DENIED', path })
  })

  it('cuts long output as a local sandbox does', async () => {
    const bridge = await ArgvBridge.open(strandsSandbox(), { maxOutput: 3 })
    const { output } = await bridge.exec(['echo', '12345'])
    expect(output).toBe('123\n[truncated: showing first 3 of 5 chars]')
  })

  it('tells what the sandbox knows of the run, and what it left out itself', async () => {
    const sandbox = strandsSandbox({ limits: { maxOutput: 8 } })
    const bridge = new ArgvBridge(sandbox, { workdir: '/tmp', maxOutput: 3 })
    const facts = { timedOut: false, durationMs: expect.any(Number) }
    expect(await bridge.exec(['echo', 'ab'])).toEqual({
      output: 'ab',
      exitCode: 0,
      ...facts,
      truncated: false,
    })
    expect(await bridge.exec(['printf', '1234567890'])).toMatchObject({
      ...facts,
      truncated: { characters: expect.any(Number), stdout: 2 },
    })
    const plain = { ...strandsSandbox(), execute: async () => ({ exitCode: 0, stdout: 'o', stderr: '' }) }
    expect(await new ArgvBridge(untyped(plain), { workdir: '/tmp' }).exec(['true'])).toEqual({
      output: 'o',
      exitCode: 0,
    })
  })

  it('runs synchronously', async () => {
    const bridge = await ArgvBridge.open(strandsSandbox(), { workdir: '/tmp/sync' })
    expect(bridge.execSync(['sh', '-c', 'pwd; exit 3'])).toMatchObject({ output: '/tmp/sync', exitCode: 3 })
    expect(bridge.execSync(['sleep', '20'], { timeout: 0.2 })).toMatchObject({ exitCode: 124 })
    expect(bridge.execSync([])).toMatchObject({ output: '', exitCode: 2 })
  })

  it('serves both adapters', async () => {
    const bridge = await ArgvBridge.open(strandsSandbox())
    expect(await new ShellAdapter(bridge).run('for i in 1 2; do echo $i; done | tail -n 1')).toBe('2')
    expect(await new ShellAdapter(bridge, { allowed: ['echo'] }).run('echo "$X" ""  b')).toBe('$X  b')
    const code = new CodeAdapter(bridge, { languages: ['lua'] })
    expect(await code.run('print(40 + 2)', 'lua')).toMatchObject({ output: '42', exitCode: 0 })
    expect(await bridge.exec(['find', '.', '-name', 'code_*'])).toMatchObject({ output: '', exitCode: 0 })
  })
})

describe('the host workdir of a bridge', () => {
  it.each([
    ['a mirrored directory', 'direct', false, '/work', '.'],
    ['what is below one', 'direct', false, '/work/sub', 'sub'],
    ['a read-only one', 'direct', true, '/work', '.'],
    ['a passthrough', 'passthrough', false, '/work/sub', 'sub'],
    ['a copy', 'copy', false, '/work', undefined],
    ['no bind', 'direct', false, '/workshop', undefined],
  ] as const)('of %s', async (_, mode, readonly, workdir, below) => {
    const source = temporaryDirectory()
    mkdirSync(join(source, 'sub'))
    const bind = { source, destination: '/work', mode, ...(mode === 'passthrough' ? {} : { readonly }) }
    const bridge = await ArgvBridge.open(strandsSandbox({ binds: [bind] }), { workdir })
    expect(bridge.hostWorkdir).toBe(below === undefined ? undefined : join(source, below))
  })

  it('is what ignore patterns look at', async () => {
    const source = temporaryDirectory()
    for (const name of ['.env', 'notes.md']) writeFileSync(join(source, name), name)
    const sandbox = strandsSandbox({ binds: [{ source, destination: '/work' }] })
    const adapter = new ShellAdapter(await ArgvBridge.open(sandbox, { workdir: '/work' }), {
      ignore: ['.env'],
    })
    expect(await adapter.run('cat .e*')).toBe('Access denied: /work/.env')
    expect(await adapter.run('cat /work/./.env')).toBe('Access denied: /work/.env')
    expect(await adapter.run('cat /work/notes.md')).toBe('notes.md')
    expect(await adapter.run('cat /etc/passwd')).toBe('Access denied: /etc/passwd')
    expect(await adapter.run('ls *.md')).not.toContain('Access denied')
  })

  it('holds what was put', async () => {
    const source = temporaryDirectory()
    const sandbox = strandsSandbox({ binds: [{ source, destination: '/work' }] })
    const bridge = await ArgvBridge.open(sandbox, { workdir: '/work' })
    await bridge.putFile('note', text('written'))
    expect(readFileSync(join(source, 'note'), 'utf8')).toBe('written')
  })
})

describe('an ArgvBridge over any sandbox', () => {
  it('runs programs, writes files and has no host', async () => {
    const bridge = await ArgvBridge.open(shellSandbox())
    expect(bridge.hostWorkdir).toBeUndefined()
    await bridge.putFile('a/note', text('here'))
    expect(await bridge.exec(['cat', 'a/note'])).toMatchObject({ output: 'here', exitCode: 0 })
    expect(await bridge.exec(['no-such-program'])).toMatchObject({ exitCode: 127 })
  })

  it('throws and names the alternative where there are no synchronous calls', async () => {
    const bridge = await ArgvBridge.open(shellSandbox())
    expect(() => bridge.execSync(['true'])).toThrow(UnsupportedError)
    expect(() => new ShellAdapter(bridge).runSync('true')).toThrow(
      /no synchronous calls.*Use exec\(\) or run\(\)/,
    )
  })

  it('closes only a sandbox that it owns, and throws after it', async () => {
    for (const ownsSandbox of [false, true]) {
      const sandbox = strandsSandbox()
      const bridge = await ArgvBridge.open(sandbox, { ownsSandbox })
      await Promise.all([bridge.close(), bridge.close(), bridge[Symbol.asyncDispose]()])
      expect(sandbox.status === 'closed').toBe(ownsSandbox)
      await expect(bridge.exec(['true'])).rejects.toThrow('ArgvBridge has been closed.')
      await expect(bridge.putFile('a', text(''))).rejects.toBeInstanceOf(SandboxClosedError)
      await expect(bridge.removeFile('a')).rejects.toBeInstanceOf(SandboxClosedError)
      expect(() => bridge.execSync(['true'])).toThrow(SandboxClosedError)
    }
  })

  it('does not fail for a call beside one that is aborted while the workdir is made', async () => {
    const path = join(temporaryDirectory(), 'made')
    const bridge = new ArgvBridge(shellSandbox(), { workdir: path })
    const calls = [bridge.exec(['pwd'], { signal: AbortSignal.abort() }), bridge.exec(['pwd'])]
    const [, second] = await Promise.allSettled(calls)
    expect(second).toMatchObject({ status: 'fulfilled', value: { output: path, exitCode: 0 } })
    expect(existsSync(path)).toBe(true)
  })
})

it('an ArgvBridge over a sandbox without files throws an error that says so', async () => {
  const { execute } = shellSandbox()
  const bridge = new ArgvBridge(untyped({ execute }), { workdir: '/w' })
  await expect(bridge.putFile('a', text('a'))).rejects.toBeInstanceOf(UnsupportedError)
  await expect(bridge.removeFile('a')).rejects.toBeInstanceOf(UnsupportedError)
})
