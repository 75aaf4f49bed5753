import { setTimeout as wait } from 'node:timers/promises'
import { Agent, applyPatchTool, Runner, shellTool } from '@openai/agents'
import { assistantMessage, ScriptedModel } from '@openai/agents/testing'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { StrandsShellSandbox } from '../../src/index.ts'
import { sandboxEditor, sandboxShell } from '../../src/openai-agents/index.ts'
import { localShell } from '../../src/posix/index.ts'
import { countRunning, uniqueSleep } from '../posix/support/processes.ts'
import { until } from '../posix/support/until.ts'

let sandbox: StrandsShellSandbox

beforeEach(async () => {
  sandbox = await StrandsShellSandbox.open()
})

afterEach(() => sandbox.close())

test('an agent with the shell tool and the patch tool works in one sandbox', async () => {
  const model = new ScriptedModel([
    [
      {
        type: 'apply_patch_call',
        callId: '1',
        status: 'completed',
        operation: { type: 'create_file', path: '/tmp/poem.txt', diff: '+roses are red' },
      },
    ],
    [{ type: 'shell_call', callId: '2', action: { commands: ['cat /tmp/poem.txt', 'exit 3'] } }],
    [{ type: 'shell_call', callId: '3', action: { commands: ['rm /tmp/poem.txt'] } }],
    [
      {
        type: 'apply_patch_call',
        callId: '4',
        status: 'completed',
        operation: { type: 'delete_file', path: '/tmp/none' },
      },
    ],
    [assistantMessage('Done.')],
  ])
  const agent = new Agent({
    name: 'Poet',
    model,
    tools: [
      shellTool({
        shell: sandboxShell(sandbox),
        needsApproval: async (_context, { commands }) => commands.some((command) => command.startsWith('rm')),
        onApproval: async () => ({ approve: false }),
      }),
      applyPatchTool({ editor: sandboxEditor(sandbox) }),
    ],
  })

  const { finalOutput, newItems } = await new Runner({ tracingDisabled: true }).run(agent, 'Write a poem.')

  expect(finalOutput).toBe('Done.')
  const outputs = newItems.flatMap((item) => (item.type === 'tool_call_output_item' ? [item.rawItem] : []))
  expect(outputs).toMatchObject([
    { type: 'apply_patch_call_output', status: 'completed' },
    {
      type: 'shell_call_output',
      output: [
        { stdout: 'roses are red\n', stderr: '', outcome: { type: 'exit', exitCode: 0 } },
        { stdout: '', stderr: '', outcome: { type: 'exit', exitCode: 3 } },
      ],
    },
    { type: 'shell_call_output', output: [{ stdout: '', outcome: { type: 'exit', exitCode: null } }] },
    { type: 'apply_patch_call_output', status: 'failed', output: expect.stringContaining('/tmp/none') },
  ])
  expect(await sandbox.readText('/tmp/poem.txt')).toBe('roses are red\n')
})

test('commands of one call share the session', async () => {
  const { output } = await sandboxShell(sandbox).run({
    commands: ['cd /tmp; name=Ada', 'echo "$name in $PWD"'],
  })
  expect(output.map(({ stdout }) => stdout)).toEqual(['', 'Ada in /tmp\n'])
})

test('a command that the engine lacks is answered with what is there', async () => {
  const { output } = await sandboxShell(sandbox).run({ commands: ['python3 -V'] })
  expect(output).toEqual([
    {
      stdout: '',
      stderr: expect.stringMatching(/command not found\n\[python3 is not in this sandbox\..*\]\n$/),
      outcome: { type: 'exit', exitCode: 127 },
    },
  ])
})

describe('time', () => {
  test('the first command that times out is the last that runs', async () => {
    const shell = sandboxShell(localShell())
    const command = `echo begun; sleep ${uniqueSleep()}`
    const { output } = await shell.run({ commands: ['true', command, 'true'], timeoutMs: 2000 })
    expect(output).toEqual([
      { stdout: '', stderr: '', outcome: { type: 'exit', exitCode: 0 } },
      {
        stdout: 'begun\n',
        stderr: expect.stringMatching(/TIMEOUT: .* 1\.\d{1,3} s\./),
        outcome: { type: 'timeout' },
      },
    ])
    await until(() => countRunning(command) === 0)
  })

  test('it is the time of all commands of a call', async () => {
    const local = localShell()
    const execute = vi.spyOn(local, 'execute')
    await sandboxShell(local, { timeout: 60 }).run({ commands: ['sleep 0.2', 'true'] })
    await sandboxShell(local, { timeout: 60 }).run({ commands: ['true'], timeoutMs: 30_000 })
    const [first = 0, second = 0, asked = 0] = execute.mock.calls.map(([, options]) => options?.timeout)
    expect(first).toBeGreaterThan(30)
    expect(second).toBeLessThan(first - 0.19)
    expect(asked).toBeLessThanOrEqual(30)
  })

  test('when it is over no command is begun', async () => {
    const result = {
      ...{ type: 'executionResult' as const, exitCode: 0, stdout: '', stderr: '', outputFiles: [] },
      ...{ timedOut: false, truncated: false as const, durationMs: 50 },
    }
    const execute = vi.spyOn(sandbox, 'execute').mockImplementation(() => wait(50, result))
    const { output } = await sandboxShell(sandbox).run({ commands: ['true', 'true', 'true'], timeoutMs: 40 })
    expect(output).toEqual([
      { stdout: '', stderr: '', outcome: { type: 'exit', exitCode: 0 } },
      { stdout: '', stderr: expect.stringContaining('Not run'), outcome: { type: 'timeout' } },
    ])
    expect(execute).toHaveBeenCalledTimes(1)
  })
})

describe('output', () => {
  test('what is longer than the model asked for is in a file', async () => {
    const { output, maxOutputLength } = await sandboxShell(sandbox).run({
      commands: ['i=0; while [ $i -lt 1000 ]; do i=$((i+1)); echo "line $i"; done'],
      maxOutputLength: 100,
    })
    expect(maxOutputLength).toBe(100)
    const [{ stdout } = { stdout: '' }] = output
    expect(stdout).toMatch(/^line 1\n.*left out.*line 1000\n$/s)
    expect(stdout.length).toBeLessThan(500)
    const file = /\/tmp\/output-\S+\.txt/.exec(stdout)?.[0] ?? ''
    expect((await sandbox.readText(file)).split('\n')).toHaveLength(1001)
  })

  test('the limit is that of all commands of a call, and of the options', async () => {
    const shell = sandboxShell(sandbox, { maxCharacters: 200, spillDirectory: false })
    const print = `printf ${'0'.repeat(150)}`
    const { output, maxOutputLength } = await shell.run({ commands: [print, print] })
    expect(maxOutputLength).toBeUndefined()
    expect(output[0]?.stdout).toBe('0'.repeat(150))
    expect(output[1]?.stdout).toMatch(/^0{25}\n\[.*100 characters.*left out here\..*\]\n0{25}$/)
  })
})

test('an abort stops the command that runs and those after it', async () => {
  const command = `sleep ${uniqueSleep()}`
  const controller = new AbortController()
  const shell = sandboxShell(localShell(), { signal: controller.signal })
  const outcome = expect(shell.run({ commands: [command, command] })).rejects.toThrow('enough')
  await until(() => countRunning(command) > 0)

  controller.abort(new Error('enough'))

  await outcome
  await until(() => countRunning(command) === 0)
})

test('a sandbox that fails says so in the place of the output, and ends the call', async () => {
  await sandbox.close()
  const { output } = await sandboxShell(sandbox).run({ commands: ['true', 'true'] })
  expect(output).toEqual([
    { stdout: '', stderr: expect.stringContaining('CLOSED'), outcome: { type: 'exit', exitCode: null } },
  ])
})
