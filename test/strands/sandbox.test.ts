import * as sdk from '@strands-agents/sdk'
import { afterAll, describe, expect, it } from 'vitest'
import { SandboxClosedError, ShellHost } from '../../src/index.ts'
import { localShell } from '../../src/posix/index.ts'
import { asStrandsSandbox, type StrandsOptions, StrandsShellSandbox } from '../../src/strands/index.ts'
import { importWithout } from '../tools/support/without-package.ts'

const sandbox = new StrandsShellSandbox({ env: { NAME: 'value' } })
afterAll(() => sandbox.close())

describe('a sandbox for the Strands SDK', () => {
  it('is a sandbox of the SDK', () => {
    expect(sandbox).toBeInstanceOf(sdk.Sandbox)
    expect(asStrandsSandbox(localShell())).toBeInstanceOf(sdk.Sandbox)
  })

  it('does what the sandbox does', async () => {
    const expected = {
      ...{ type: 'executionResult', exitCode: 0, stderr: '', outputFiles: [] },
      ...{ timedOut: false, truncated: false, durationMs: expect.any(Number) },
    }
    expect(await sandbox.execute('echo $NAME')).toEqual({ ...expected, stdout: 'value\n' })
    expect(await sandbox.executeCode('print(1 + 1)', 'lua')).toEqual({ ...expected, stdout: '2\n' })
    await sandbox.writeText('/tmp/d/f', 'text')
    expect(await sandbox.readText('/tmp/d/f')).toBe('text')
    expect(await sandbox.listFiles('/tmp/d')).toEqual([{ name: 'f', isDir: false, size: 4 }])
    await sandbox.removeFile('/tmp/d/f')
    const events: unknown[] = []
    for await (const event of sandbox.executeStreaming('echo a', { cwd: '/tmp' })) events.push(event)
    expect(events).toEqual([
      { type: 'streamChunk', data: 'a\n', streamType: 'stdout' },
      { ...expected, stdout: 'a\n' },
    ])
  })

  it('fails with the errors of the SDK, and ours as their cause', async () => {
    const failures = [
      [() => sandbox.execute('sleep 2.5', { timeout: 0.05 }), sdk.SandboxTimeoutError, 'TIMEOUT'],
      [
        () => sandbox.executeStreaming('sleep 2.5', { timeout: 0.05 }).next(),
        sdk.SandboxTimeoutError,
        'TIMEOUT',
      ],
      [
        () => sandbox.executeCode('x', 'sh', { signal: AbortSignal.abort() }),
        sdk.SandboxAbortError,
        'ABORTED',
      ],
      [() => sandbox.listFiles('/nowhere'), sdk.SandboxPathNotFoundError, 'PATH_NOT_FOUND'],
      [() => sandbox.readFile('/nowhere'), sdk.SandboxPathNotFoundError, 'PATH_NOT_FOUND'],
    ] as const
    for (const [call, type, code] of failures) {
      const error: unknown = await call().then(
        () => undefined,
        (reason: unknown) => reason,
      )
      expect(error).toBeInstanceOf(type)
      expect(error).toMatchObject({ name: type.name, cause: { code } })
      const { message, cause } = error as { message: string; cause: Error }
      expect(message).toBe(cause.message)
    }
  })

  it('fails with ours where the SDK has none', async () => {
    await expect(sandbox.writeFile('/bin/x', new Uint8Array())).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    })
  })

  it('opens on a host, and closes', async () => {
    await using host = new ShellHost({ isolation: 'worker' })
    const opened = await StrandsShellSandbox.open({}, { host })
    expect(host.list()).toHaveLength(1)
    await opened.close()
    expect(host.list()).toHaveLength(0)
    await expect(opened.execute('true')).rejects.toBeInstanceOf(SandboxClosedError)
  })

  it('that wraps another does not own it', async () => {
    await using host = new ShellHost({ isolation: 'worker' })
    const inner = await host.open()
    expect(asStrandsSandbox(inner)).not.toHaveProperty('close')
    expect(asStrandsSandbox(inner).inner).toBe(inner)
  })

  it('shows no secret', () => {
    const secret = new StrandsShellSandbox({
      credentials: [{ url: 'https://a.example/', token: 'tok-secret' }],
    })
    const [, bash] = secret.getTools()
    expect(`${bash?.description}${JSON.stringify(secret)}`).not.toContain('tok-secret')
    expect(bash?.description).toContain('Requests below https://a.example/ get their credentials')
  })

  it('has the tools that it is told to have', () => {
    const names = (options?: StrandsOptions) =>
      new StrandsShellSandbox({}, options).getTools().map(({ name }) => name)
    expect(names()).toEqual(['sandbox_file_editor', 'sandbox_bash'])
    expect(names({ tools: { bash: 'run' } })).toEqual(['sandbox_file_editor', 'run'])
    expect(names({ tools: false })).toEqual([])
  })

  it('has names in its specs that agree, and a timeout that tells the truth', () => {
    for (const { name, description, toolSpec } of sandbox.getTools()) {
      expect(toolSpec).toMatchObject({ name, description })
    }
    const [, bash] = sandbox.getTools()
    expect(bash?.toolSpec.inputSchema).toMatchObject({
      properties: {
        timeout: {
          description:
            "Seconds after which the call times out. Default: the sandbox's own limit. More than 30 has no effect.",
        },
      },
    })
  })

  it('refuses options that are not valid, by name', () => {
    const cases: [unknown, string][] = [
      [{ tools: { bash: 'a b' } }, 'tools.bash'],
      [{ tools: { bash: 'x', editor: 'x' } }, 'tools.editor'],
      [{ tools: { maxCharacters: 1 } }, 'maxCharacters'],
      [{ tools: { other: 1 } }, 'tools.other'],
      [{ other: 1 }, 'other'],
    ]
    for (const [options, field] of cases) {
      const attempt = () => asStrandsSandbox(localShell(), options as StrandsOptions)
      expect(attempt, field).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG', field }))
    }
    expect(() => new StrandsShellSandbox({ timeout: 0 })).toThrow(
      expect.objectContaining({ field: 'timeout' }),
    )
  })
})

it('without the SDK, the import says how to install it', async () => {
  expect(await importWithout('@strands-agents/sdk', 'src/strands/index.ts')).toBe(
    'This part of strands-shell-runtime needs the package @strands-agents/sdk, which is not installed. Install it: npm install @strands-agents/sdk',
  )
})
