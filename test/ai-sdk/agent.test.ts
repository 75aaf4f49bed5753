import { generateText, type ModelMessage, ToolLoopAgent, type ToolSet } from 'ai'
import { afterEach, beforeEach, describe, expect, expectTypeOf, test } from 'vitest'
import { type SandboxToolSet, sandboxTools } from '../../src/ai-sdk/index.ts'
import { BashSandbox } from '../../src/bash/index.ts'
import { StrandsShellSandbox } from '../../src/index.ts'
import { localShell } from '../../src/posix/index.ts'
import { countRunning, uniqueSleep } from '../posix/support/processes.ts'
import { until } from '../posix/support/until.ts'

import { importWithout } from '../tools/support/without-package.ts'
import { scriptedModel, shownTo } from './scripted-model.ts'

let sandbox: StrandsShellSandbox

beforeEach(async () => {
  sandbox = await StrandsShellSandbox.open({
    binds: [{ source: import.meta.dirname, destination: '/work', mode: 'direct', readonly: true }],
  })
})

afterEach(() => sandbox.close())

test('an agent writes a file, reads it with another tool, is refused something, and ends', async () => {
  const model = scriptedModel(
    { tool: 'write_file', input: { path: '/tmp/poem.txt', content: 'roses are red\n' } },
    { tool: 'read_file', input: { path: '/tmp/poem.txt' } },
    { tool: 'write_file', input: { path: '/work/poem.txt', content: 'no' } },
    { tool: 'shell', input: { command: 'cat /tmp/poem.txt; exit 3' } },
    'Done.',
  )
  const agent = new ToolLoopAgent({ model, tools: sandboxTools(sandbox) })

  const { text, steps } = await agent.generate({ prompt: 'Write a poem.' })

  expect(text).toBe('Done.')
  expect(steps).toHaveLength(5)
  expect(shownTo(model, 3)).toEqual([{ type: 'text', value: expect.stringContaining('roses are red') }])
  expect(shownTo(model, 4)).toEqual([
    { type: 'error-text', value: expect.stringContaining('/work/poem.txt') },
  ])
  expect(shownTo(model, 5)).toEqual([{ type: 'text', value: expect.stringMatching(/roses are red.*\b3\b/s) }])
  expect(steps[3]?.toolResults[0]?.output).toMatchObject({
    isError: false,
    data: { exitCode: 3, stdout: 'roses are red\n' },
  })
})

test('an agent has bash in a bash sandbox, and is told so', async () => {
  await using bash = new BashSandbox()
  const model = scriptedModel(
    {
      tool: 'shell',
      input: { command: 'list=(a b); awk "BEGIN { print 42 }"; [[ $list == a ]] && echo yes' },
    },
    'Done.',
  )
  const tools = sandboxTools(bash)
  await new ToolLoopAgent({ model, tools }).generate({ prompt: 'Compute.' })
  expect(shownTo(model, 2)).toEqual([{ type: 'text', value: '42\nyes' }])
  expect(tools['shell']?.description).toContain('Runs a command in bash')
})

test('a model is told what is wrong with the input of its call', async () => {
  const model = scriptedModel({ tool: 'read_file', input: { file: '/tmp/a' } }, 'Done.')
  await generateText({
    model,
    tools: sandboxTools(sandbox),
    prompt: 'Read.',
    stopWhen: ({ steps }) => steps.length === 2,
  })
  expect(shownTo(model, 2)).toEqual([{ type: 'error-text', value: expect.stringContaining('path') }])
})

describe('approval', () => {
  const change = { tool: 'write_file', input: { path: '/tmp/kept.txt', content: 'kept' } }

  async function answered(approved: boolean) {
    const model = scriptedModel({ tool: 'list_files', input: { path: '/tmp' } }, change, 'Done.')
    const agent = new ToolLoopAgent({
      model,
      tools: sandboxTools(sandbox, { needsApproval: (tool) => !tool.hints.readOnly }),
    })
    const messages: ModelMessage[] = [{ role: 'user', content: 'Keep it.' }]
    const first = await agent.generate({ messages })
    const requests = first.content.filter((part) => part.type === 'tool-approval-request')
    expect(requests.map(({ toolCall }) => [toolCall.toolName, toolCall.input])).toEqual([
      [change.tool, change.input],
    ])
    expect((await sandbox.execute('cat /tmp/kept.txt')).exitCode).toBe(1)
    const answers = requests.map(({ approvalId }) => ({
      type: 'tool-approval-response' as const,
      approvalId,
      approved,
      reason: 'not today',
    }))
    messages.push(...first.response.messages, { role: 'tool', content: answers })
    const { text } = await agent.generate({ messages })
    expect(text).toBe('Done.')
    return shownTo(model, 3)
  }

  test('a call that is denied does not run, and the model is told why', async () => {
    expect(await answered(false)).toEqual([{ type: 'execution-denied', reason: 'not today' }])
    expect((await sandbox.execute('cat /tmp/kept.txt')).exitCode).toBe(1)
  })

  test('a call that is approved runs', async () => {
    expect(await answered(true)).toEqual([{ type: 'text', value: expect.stringContaining('/tmp/kept.txt') }])
    expect(await sandbox.readText('/tmp/kept.txt')).toBe('kept')
  })
})

test('an abort in the middle of a call stops its command', async () => {
  const command = `sleep ${uniqueSleep()}`
  const model = scriptedModel({ tool: 'shell', input: { command } }, 'Never mind.')
  const controller = new AbortController()
  const run = generateText({
    model,
    tools: sandboxTools(localShell()),
    prompt: 'Wait.',
    abortSignal: controller.signal,
  })
  await until(() => countRunning(command) > 0)

  controller.abort(new Error('enough'))

  const { content } = await run
  await until(() => countRunning(command) === 0)
  const failures = content.flatMap((part) => (part.type === 'tool-error' ? [part.error] : []))
  expect(failures).toEqual([new Error('enough')])
})

test('the tools are named and chosen by the shared options', () => {
  const tools = sandboxTools(sandbox, { include: ['shell', 'read_file'], names: { shell: 'bash' } })
  expect(Object.keys(tools).toSorted()).toEqual(['bash', 'read_file'])
})

test('the tools are a tool set of the SDK', () => {
  expectTypeOf<SandboxToolSet>().toExtend<ToolSet>()
})

test('an import without the SDK fails with the install command', async () => {
  expect(await importWithout('ai', 'src/ai-sdk/index.ts')).toContain('npm install ai')
})
