import { Agent } from '@strands-agents/sdk'
import { describe, expect, it } from 'vitest'
import { localShell } from '../../src/posix/index.ts'
import { asStrandsSandbox, StrandsShellSandbox } from '../../src/strands/index.ts'
import { temporaryDirectory } from '../strands-shell/support/temporary.ts'
import { ScriptedModel } from './support/scripted-model.ts'

const bash = (command: string, timeout?: number) => [
  { tool: 'sandbox_bash', input: { command, ...(timeout === undefined ? {} : { timeout }) } },
]
const edit = (input: object) => [{ tool: 'sandbox_file_editor', input }]

describe('an agent of the Strands SDK', () => {
  it('writes a file with one tool, reads it with another, is refused something, and ends', async () => {
    const source = await temporaryDirectory()
    await using sandbox = new StrandsShellSandbox({
      binds: [{ source, destination: '/ref', readonly: true }],
    })
    const model = new ScriptedModel(
      edit({ command: 'create', path: '/tmp/notes.txt', file_text: 'one\ntwo\n' }),
      bash('cat /tmp/notes.txt; cd /tmp; x=kept'),
      bash('echo $x; pwd'),
      edit({ command: 'create', path: '/ref/new.txt', file_text: 'x' }),
      'Done.',
    )
    const { stopReason, lastMessage } = await new Agent({ sandbox, model, printer: false }).invoke('Go.')
    expect(model.offered).toEqual(['sandbox_file_editor', 'sandbox_bash'])
    expect(model.shown).toEqual([
      'File created successfully at: /tmp/notes.txt',
      '{"output":"one\\ntwo\\n","error":""}',
      '{"output":"kept\\n/tmp\\n","error":""}',
      expect.stringMatching(
        /^error: .*PERMISSION_DENIED: .* Writable are: \/tmp, \/home\/lash, \/workspace\.$/,
      ),
    ])
    expect([stopReason, lastMessage.content[0]]).toEqual([
      'endTurn',
      expect.objectContaining({ text: 'Done.' }),
    ])
  })

  it('does the same with any other sandbox', async () => {
    const directory = await temporaryDirectory()
    const sandbox = asStrandsSandbox(localShell({ cwd: directory }), { tools: { bash: 'sh', editor: 'ed' } })
    const path = `${directory}/notes.txt`
    const model = new ScriptedModel(
      [{ tool: 'ed', input: { command: 'create', path, file_text: 'one\n' } }],
      [{ tool: 'sh', input: { command: 'cat notes.txt' } }],
      [{ tool: 'ed', input: { command: 'create', path, file_text: 'two\n' } }],
      'Done.',
    )
    await new Agent({ sandbox, model, printer: false }).invoke('Go.')
    expect(model.offered).toEqual(['ed', 'sh'])
    expect(model.shown).toEqual([
      `File created successfully at: ${path}`,
      '{"output":"one\\n","error":""}',
      expect.stringContaining(`File already exists at: ${path}`),
    ])
  })

  it('is told how commands ended, what is missing and what was left out', async () => {
    await using sandbox = new StrandsShellSandbox(
      { timeout: 1 },
      { tools: { maxCharacters: 200, spillDirectory: '/tmp/spill' } },
    )
    const model = new ScriptedModel(
      bash('python3 -V'),
      bash('while :; do :; done'),
      bash('i=0; while [ $i -lt 100 ]; do echo row $i; i=$((i + 1)); done'),
      bash('sleep 0.9', 0.1),
      'Done.',
    )
    await new Agent({ sandbox, model, printer: false }).invoke('Go.')
    expect(model.shown[0]).toContain(
      '[Exit code 127.]\\n[python3 is not in this sandbox. Instead: write the program in lua',
    )
    expect(model.shown[1]).toContain(
      '[Exit code 124: the sandbox ended the command after 1 s, its time limit.',
    )
    expect(model.shown[2]).toContain('All of stdout is in /tmp/spill/output-')
    expect(model.shown[3]).toMatch(/^error: .*TIMEOUT: The call did not end within its timeout of 0\.1 s\./)
  })

  it('sees no more of a file than it can take, and no binary one', async () => {
    await using sandbox = new StrandsShellSandbox({}, { tools: { maxCharacters: 300 } })
    await sandbox.writeText('/tmp/long.txt', 'row\n'.repeat(1000))
    await sandbox.writeFile('/tmp/binary', Uint8Array.of(0, 1, 2, 0xff))
    const model = new ScriptedModel(
      edit({ command: 'view', path: '/tmp/long.txt' }),
      edit({ command: 'str_replace', path: '/tmp/binary', old_str: '\u0001', new_str: 'x' }),
      'Done.',
    )
    await new Agent({ sandbox, model, printer: false }).invoke('Go.')
    expect(model.shown[0]).toContain('left out here. View fewer lines with view_range.]')
    expect(model.shown[0]?.length).toBeLessThan(450)
    expect(model.shown[1]).toContain('is not a text file: it holds a NUL byte at offset 0')
    expect(await sandbox.readFile('/tmp/binary')).toEqual(Uint8Array.of(0, 1, 2, 0xff))
  })

  it('loses no edit of those that it makes at once', async () => {
    await using sandbox = new StrandsShellSandbox()
    await sandbox.writeText('/tmp/f', 'a=0\nb=0\nc=0\n')
    const replace = (name: string) =>
      edit({ command: 'str_replace', path: '/tmp/f', old_str: `${name}=0`, new_str: `${name}=1` })
    const model = new ScriptedModel([...replace('a'), ...replace('b'), ...replace('c')], 'Done.')
    await new Agent({ sandbox, model, printer: false }).invoke('Go.')
    expect(await sandbox.readText('/tmp/f')).toBe('a=1\nb=1\nc=1\n')
  })

  it('that is cancelled cancels its command', async () => {
    await using sandbox = new StrandsShellSandbox({ timeout: 20, onInterrupt: 'reset' })
    await sandbox.inner.open()
    const model = new ScriptedModel(bash('sleep 20'), 'Done.')
    const agent = new Agent({ sandbox, model, printer: false })
    const start = performance.now()
    setTimeout(() => agent.cancel(), 200)
    expect((await agent.invoke('Go.')).stopReason).toBe('cancelled')
    expect(performance.now() - start).toBeLessThan(10_000)
    expect(sandbox.inner.generation).toBe(2)
  })
})
