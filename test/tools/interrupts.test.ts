import { describe, expect, it } from 'vitest'
import { BashSandbox } from '../../src/bash/index.ts'
import { Sandbox, StrandsShellSandbox } from '../../src/index.ts'
import { localShell } from '../../src/posix/index.ts'
import { callTool } from './support/places.ts'

/** A sandbox of one file, whose reading ends when it is told to. */
class SlowFile extends Sandbox {
  readonly written: string[] = []
  readonly #content: Promise<Uint8Array>

  constructor(content: Promise<Uint8Array>) {
    super()
    this.#content = content
  }

  override readFile(): Promise<Uint8Array> {
    return this.#content
  }

  override async writeText(_path: string, content: string): Promise<void> {
    this.written.push(content)
  }

  override executeStreaming = unsupported
  override executeCodeStreaming = unsupported
  override writeFile = unsupported
  override removeFile = unsupported
  override listFiles = unsupported
}

function unsupported(): never {
  throw new Error('not here')
}

describe('a call that is given up', () => {
  it('does none of the steps that are left', async () => {
    let finish: (bytes: Uint8Array) => void = unsupported
    const sandbox = new SlowFile(
      new Promise((resolve) => {
        finish = resolve
      }),
    )
    const controller = new AbortController()
    const input = { command: 'str_replace', path: '/f', old_str: 'a', new_str: 'b' }
    const edit = callTool(sandbox, 'edit_file', input, {}, { signal: controller.signal })
    controller.abort()
    await expect(edit).rejects.toMatchObject({ code: 'ABORTED' })
    finish(new TextEncoder().encode('a'))
    const next = await callTool(sandbox, 'edit_file', { ...input, new_str: 'c' })
    expect([next.isError, sandbox.written]).toEqual([false, ['c']])
  })

  it('before it began does nothing', async () => {
    const sandbox = new SlowFile(Promise.resolve(new Uint8Array()))
    const context = { signal: AbortSignal.abort() }
    const write = callTool(sandbox, 'write_file', { path: '/f', content: 'a' }, {}, context)
    await expect(write).rejects.toMatchObject({ code: 'ABORTED' })
    expect(sandbox.written).toEqual([])
  })

  it('is given up by the sandbox, too', async () => {
    await using sandbox = await StrandsShellSandbox.open({ onInterrupt: 'reset' })
    for (const [id, input] of [
      ['shell', { command: 'sleep 5' }],
      ['run_code', { code: 'sleep 5', language: 'sh' }],
    ] as const) {
      const before = sandbox.generation
      const context = { signal: AbortSignal.timeout(100) }
      await expect(callTool(sandbox, id, input, {}, context)).rejects.toMatchObject({ code: 'ABORTED' })
      expect([id, sandbox.generation]).toEqual([id, before + 1])
      await sandbox.execute('true')
    }
  })

  it('does not hold up the edits that come after it', async () => {
    const sandbox = new SlowFile(Promise.reject(new Error('broken')))
    const input = { command: 'insert', path: '/f', insert_line: 0, new_str: 'b' }
    const outputs = await Promise.all([1, 2].map(() => callTool(sandbox, 'edit_file', input)))
    expect(outputs.map(({ text }) => text)).toEqual([
      'The sandbox failed: broken',
      'The sandbox failed: broken',
    ])
  })
})

describe('what cuts a command short', () => {
  it('leaves its output so far, where the sandbox streams', async () => {
    const { text, isError } = await callTool(localShell(), 'shell', {
      command: 'echo begun; sleep 60',
      timeout: 3,
    })
    expect(isError).toBe(true)
    expect(text).toMatch(/^TIMEOUT: .*\nOutput so far:\nbegun$/s)
  })

  it('is told in words where it is the sandbox', async () => {
    await using sandbox = new StrandsShellSandbox({ timeout: 0.2 })
    const { text, data, isError } = await callTool(sandbox, 'shell', { command: 'echo begun; sleep 5' })
    expect({ text, timedOut: data['timedOut'], isError }).toEqual({
      text: 'begun\n[stderr]\nstrands-shell: execution timeout exceeded\n[Exit code 124: the sandbox ended the command after 0.2 s, its time limit. The session lives on; what the command had done stays.]',
      timedOut: true,
      isError: false,
    })
  })

  it('is told in words of a bash sandbox as well', async () => {
    await using sandbox = new BashSandbox({ timeout: 1 })
    const { text, data } = await callTool(sandbox, 'shell', { command: 'echo begun; sleep 50' })
    expect(text).toMatch(/^begun\n\[stderr\]\nbash: stopped after 1 s\n\[Exit code 124: the sandbox ended/)
    expect(data['timedOut']).toBe(true)
  })

  it.each([
    ['strands', 'strands-shell: execution timeout exceeded'],
    ['bash', 'bash: stopped after 30 s'],
  ] as const)('is not the sandbox where a command of %s says so itself', async (shell, words) => {
    await using sandbox = shell === 'bash' ? new BashSandbox() : new StrandsShellSandbox()
    const { text, data } = await callTool(sandbox, 'shell', { command: `echo '${words}' >&2; exit 124` })
    expect([text, data['timedOut']]).toEqual([`[stderr]\n${words}\n[Exit code 124.]`, false])
  })

  it('is told as truncated where the sandbox left output out', async () => {
    await using sandbox = new BashSandbox({ limits: { maxOutput: 10 } })
    const { data } = await callTool(sandbox, 'shell', { command: 'echo 12345678901234567890' })
    expect(data).toMatchObject({ stdout: '1234567890', truncated: true, timedOut: false })
  })

  it('may be the end of the session, which is told, and the next call has a fresh one', async () => {
    await using sandbox = new StrandsShellSandbox({ isolation: 'worker' })
    await callTool(sandbox, 'shell', { command: 'echo a > /tmp/f' })
    const lost = await callTool(sandbox, 'shell', { command: 'find /tmp -maxdepth 0 -exec [ a = ] \\;' })
    expect(lost).toMatchObject({ isError: true, data: { code: 'WORKER_LOST' } })
    expect(lost.text).toContain('Everything that was only in the sandbox is gone')
    expect((await callTool(sandbox, 'read_file', { path: '/tmp/f' })).data['code']).toBe('PATH_NOT_FOUND')
  })
})
