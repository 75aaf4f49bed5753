import { Agent, RunContext, Runner, type RunToolApprovalItem, type Tool } from '@openai/agents'
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing'
import { afterEach, beforeEach, describe, expect, expectTypeOf, test } from 'vitest'
import { BashSandbox } from '../../src/bash/index.ts'
import { StrandsShellSandbox } from '../../src/index.ts'
import { sandboxTools } from '../../src/openai-agents/index.ts'
import { localShell } from '../../src/posix/index.ts'
import { countRunning, uniqueSleep } from '../posix/support/processes.ts'
import { until } from '../posix/support/until.ts'
import { importWithout } from '../tools/support/without-package.ts'
import { outputsShownTo } from './shown.ts'

let sandbox: StrandsShellSandbox

beforeEach(async () => {
  sandbox = await StrandsShellSandbox.open({
    binds: [{ source: import.meta.dirname, destination: '/work', mode: 'direct', readonly: true }],
  })
})

afterEach(() => sandbox.close())

const runner = new Runner({ tracingDisabled: true })
const done = [assistantMessage('Done.')]

test('an agent writes a file, reads it with another tool, is refused something, and ends', async () => {
  const model = new ScriptedModel([
    [functionCall('write_file', { path: '/tmp/poem.txt', content: 'roses are red\n' }, { callId: '1' })],
    [functionCall('read_file', { path: '/tmp/poem.txt' }, { callId: '2' })],
    [functionCall('write_file', { path: '/work/poem.txt', content: 'no' }, { callId: '3' })],
    [functionCall('shell', { command: 'cat /tmp/poem.txt; exit 3', timeout: null }, { callId: '4' })],
    done,
  ])
  const agent = new Agent({ name: 'Poet', model, tools: sandboxTools(sandbox) })

  const { finalOutput } = await runner.run(agent, 'Write a poem.')

  expect(finalOutput).toBe('Done.')
  model.assertComplete()
  expect(outputsShownTo(model, 5)).toEqual([
    expect.stringContaining('/tmp/poem.txt'),
    expect.stringContaining('roses are red'),
    expect.stringContaining('/work/poem.txt'),
    expect.stringMatching(/roses are red.*\b3\b/s),
  ])
  await expect(sandbox.readFile('/work/poem.txt')).rejects.toThrow()
})

test('an agent has bash in a bash sandbox, and is told so', async () => {
  await using bash = new BashSandbox()
  const command = 'list=(a b); awk "BEGIN { print 42 }"; [[ $list == a ]] && echo yes'
  const model = new ScriptedModel([
    [functionCall('shell', { command, timeout: null }, { callId: '1' })],
    done,
  ])
  const tools = sandboxTools(bash)
  await runner.run(new Agent({ name: 'A', model, tools }), 'Compute.')
  expect(outputsShownTo(model, 2)).toEqual(['42\nyes'])
  expect(tools[0]?.description).toContain('Runs a command in bash')
})

test('a model is told what is wrong with the input of its call', async () => {
  const model = new ScriptedModel([[functionCall('read_file', { file: '/tmp/a' }, { callId: '1' })], done])
  await runner.run(new Agent({ name: 'A', model, tools: sandboxTools(sandbox) }), 'Read.')
  expect(outputsShownTo(model, 2)).toEqual([expect.stringContaining('path')])
})

describe('approval', () => {
  async function answered(answer: (item: RunToolApprovalItem) => boolean) {
    const model = new ScriptedModel([
      [functionCall('list_files', { path: '/tmp' }, { callId: '1' })],
      [functionCall('write_file', { path: '/tmp/kept.txt', content: 'kept' }, { callId: '2' })],
      done,
    ])
    const tools = sandboxTools(sandbox, { needsApproval: async (tool) => !tool.hints.readOnly })
    const agent = new Agent({ name: 'A', model, tools })
    const { interruptions, state } = await runner.run(agent, 'Keep it.')
    expect(interruptions.map(({ name }) => name)).toEqual(['write_file'])
    expect((await sandbox.execute('cat /tmp/kept.txt')).exitCode).toBe(1)
    for (const item of interruptions) {
      if (answer(item)) state.approve(item)
      else state.reject(item)
    }
    expect((await runner.run(agent, state)).finalOutput).toBe('Done.')
    return outputsShownTo(model, 3).at(-1)
  }

  test('a call that is denied does not run, and the model is told', async () => {
    expect(await answered(() => false)).toMatch(/not approved/)
    expect((await sandbox.execute('cat /tmp/kept.txt')).exitCode).toBe(1)
  })

  test('a call that is approved runs', async () => {
    expect(await answered(() => true)).toContain('/tmp/kept.txt')
    expect(await sandbox.readText('/tmp/kept.txt')).toBe('kept')
  })
})

test('an abort in the middle of a call stops its command', async () => {
  const command = `sleep ${uniqueSleep()}`
  const model = new ScriptedModel([[functionCall('shell', { command, timeout: null }, { callId: '1' })]])
  const agent = new Agent({ name: 'A', model, tools: sandboxTools(localShell()) })
  const controller = new AbortController()
  const outcome = expect(runner.run(agent, 'Wait.', { signal: controller.signal })).rejects.toThrow('enough')
  await until(() => countRunning(command) > 0)

  controller.abort(new Error('enough'))

  await outcome
  await until(() => countRunning(command) === 0)
})

test('a call that was aborted before it began rejects with the reason', async () => {
  const [shell] = sandboxTools(sandbox, { include: ['shell'] })
  const signal = AbortSignal.abort(new Error('enough'))
  const call = shell?.invoke(new RunContext(), '{"command":"touch /tmp/run"}', { signal })
  await expect(call).rejects.toThrow('enough')
  expect((await sandbox.execute('cat /tmp/run')).exitCode).toBe(1)
})

test('every tool has a strict schema', () => {
  const tools = sandboxTools(sandbox)
  expect(tools.map(({ name, strict }) => [name, strict])).toEqual([
    ['shell', true],
    ['read_file', true],
    ['write_file', true],
    ['edit_file', true],
    ['list_files', true],
    ['run_code', true],
  ])
  for (const { parameters } of tools) {
    expect(parameters.additionalProperties).toBe(false)
    expect(parameters.required).toEqual(Object.keys(parameters.properties))
  }
})

test('the tools are tools of the SDK, for an agent of any context', () => {
  expectTypeOf(sandboxTools(sandbox)).toExtend<Tool[]>()
  const agent = new Agent<{ user: string }>({ name: 'A', tools: sandboxTools(sandbox) })
  expect(agent.tools).toHaveLength(6)
})

test('an import without the SDK fails with the install command', async () => {
  expect(await importWithout('@openai/agents', 'src/openai-agents/index.ts')).toContain(
    'npm install @openai/agents',
  )
})
