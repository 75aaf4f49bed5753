import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import type { RunnableConfig } from '@langchain/core/runnables'
import { type FakeBuiltModel, fakeModel } from '@langchain/core/testing'
import type { StructuredToolInterface } from '@langchain/core/tools'
import { afterEach, beforeEach, describe, expect, expectTypeOf, test } from 'vitest'
import { BashSandbox } from '../../src/bash/index.ts'
import { StrandsShellSandbox } from '../../src/index.ts'
import { type SandboxStructuredTool, sandboxTools } from '../../src/langchain/index.ts'
import { localShell } from '../../src/posix/index.ts'
import { countRunning, uniqueSleep } from '../posix/support/processes.ts'
import { until } from '../posix/support/until.ts'
import { importWithout } from '../tools/support/without-package.ts'

let sandbox: StrandsShellSandbox

beforeEach(async () => {
  sandbox = await StrandsShellSandbox.open({
    binds: [{ source: import.meta.dirname, destination: '/work', mode: 'direct', readonly: true }],
  })
})

afterEach(() => sandbox.close())

/** The loop of every agent: the model's tool calls are invoked until it calls none. */
async function runAgent(model: FakeBuiltModel, tools: SandboxStructuredTool[], config?: RunnableConfig) {
  const bound = model.bindTools(tools)
  const messages: BaseMessage[] = [new HumanMessage('Begin.')]
  for (;;) {
    const answer = await bound.invoke(messages, config)
    messages.push(answer)
    if (!answer.tool_calls?.length) return messages
    for (const call of answer.tool_calls) {
      const tool = tools.find(({ name }) => name === call.name)
      if (tool === undefined) throw new Error(`no tool ${call.name}`)
      messages.push(await tool.invoke({ ...call, type: 'tool_call' as const }, config))
    }
  }
}

function resultsIn(messages: readonly BaseMessage[]) {
  return messages
    .filter((message) => message instanceof ToolMessage)
    .map(({ name, status, content, tool_call_id }) => ({ name, status, content, tool_call_id }))
}

test('an agent has bash in a bash sandbox, and is told so', async () => {
  await using bash = new BashSandbox()
  const command = 'list=(a b); awk "BEGIN { print 42 }"; [[ $list == a ]] && echo yes'
  const model = fakeModel()
    .respondWithTools([{ id: '1', name: 'shell', args: { command } }])
    .respond(new AIMessage('Done.'))
  const tools = sandboxTools(bash)
  expect(resultsIn(await runAgent(model, tools))).toMatchObject([{ status: 'success', content: '42\nyes' }])
  expect(tools[0]?.description).toContain('Runs a command in bash')
})

test('an agent writes a file, reads it with another tool, is refused something, and ends', async () => {
  const model = fakeModel()
    .respondWithTools([
      { id: '1', name: 'write_file', args: { path: '/tmp/poem.txt', content: 'roses are red\n' } },
    ])
    .respondWithTools([{ id: '2', name: 'read_file', args: { path: '/tmp/poem.txt' } }])
    .respondWithTools([{ id: '3', name: 'write_file', args: { path: '/work/poem.txt', content: 'no' } }])
    .respondWithTools([{ id: '4', name: 'shell', args: { command: 'cat /tmp/poem.txt; exit 3' } }])
    .respond(new AIMessage('Done.'))

  const messages = await runAgent(model, sandboxTools(sandbox))

  expect(messages.at(-1)?.content).toBe('Done.')
  expect(resultsIn(messages)).toEqual([
    {
      name: 'write_file',
      status: 'success',
      content: expect.stringContaining('/tmp/poem.txt'),
      tool_call_id: '1',
    },
    {
      name: 'read_file',
      status: 'success',
      content: expect.stringContaining('roses are red'),
      tool_call_id: '2',
    },
    {
      name: 'write_file',
      status: 'error',
      content: expect.stringContaining('/work/poem.txt'),
      tool_call_id: '3',
    },
    {
      name: 'shell',
      status: 'success',
      content: expect.stringMatching(/roses are red.*\b3\b/s),
      tool_call_id: '4',
    },
  ])
  const artifacts = messages.flatMap((message) =>
    message instanceof ToolMessage ? [message.artifact.isError] : [],
  )
  expect(artifacts).toEqual([false, false, true, false])
})

test('without a tool call a tool gives its text', async () => {
  const [shell, read] = sandboxTools(sandbox, { include: ['shell', 'read_file'] })
  expect(await shell?.invoke({ command: 'echo hello' })).toBe('hello')
  expect(await read?.invoke({ path: '/tmp/none' })).toContain('PATH_NOT_FOUND')
})

test('an input that does not match is the error that LangChain makes of it', async () => {
  const [read] = sandboxTools(sandbox, { include: ['read_file'] })
  await expect(read?.invoke({ file: '/tmp/a' })).rejects.toThrow(/did not match expected schema.*path/s)
})

describe('approval', () => {
  const kept = { path: '/tmp/kept.txt', content: 'kept' }

  async function asked(answer: boolean) {
    const questions: unknown[] = []
    const model = fakeModel()
      .respondWithTools([{ id: '1', name: 'write_file', args: kept }])
      .respond(new AIMessage('Done.'))
    const tools = sandboxTools(sandbox, {
      approve: async (tool, input, { configurable }) => {
        questions.push([tool.name, input, configurable?.['thread_id']])
        return answer
      },
    })
    const messages = await runAgent(model, tools, { configurable: { thread_id: 'a' } })
    expect(questions).toEqual([['write_file', kept, 'a']])
    return resultsIn(messages)
  }

  test('a call that is denied does not run, and the model is told', async () => {
    expect(await asked(false)).toEqual([
      {
        name: 'write_file',
        status: 'error',
        content: expect.stringContaining('not approved'),
        tool_call_id: '1',
      },
    ])
    expect((await sandbox.execute('cat /tmp/kept.txt')).exitCode).toBe(1)
  })

  test('a call that is approved runs', async () => {
    expect(await asked(true)).toMatchObject([{ status: 'success' }])
    expect(await sandbox.readText('/tmp/kept.txt')).toBe('kept')
  })

  test('what the hook throws ends the call', async () => {
    const [shell] = sandboxTools(sandbox, {
      include: ['shell'],
      approve: () => {
        throw new Error('interrupt')
      },
    })
    await expect(shell?.invoke({ command: 'touch /tmp/run' })).rejects.toThrow('interrupt')
    expect((await sandbox.execute('cat /tmp/run')).exitCode).toBe(1)
  })
})

test('an abort in the middle of a call stops its command', async () => {
  const command = `sleep ${uniqueSleep()}`
  const controller = new AbortController()
  const model = fakeModel().respondWithTools([{ name: 'shell', args: { command } }])
  const outcome = expect(
    runAgent(model, sandboxTools(localShell()), { signal: controller.signal }),
  ).rejects.toThrow('enough')
  await until(() => countRunning(command) > 0)

  controller.abort(new Error('enough'))

  await outcome
  await until(() => countRunning(command) === 0)
})

test('the timeout of a config stops a command', async () => {
  const command = `sleep ${uniqueSleep()}`
  const [shell] = sandboxTools(localShell(), { include: ['shell'] })
  const call = shell?.invoke({ command }, { timeout: 500 })
  await expect(call).rejects.toMatchObject({ name: 'TimeoutError' })
  await until(() => countRunning(command) === 0)
})

test('the tools are structured tools of LangChain', () => {
  expectTypeOf<SandboxStructuredTool>().toExtend<StructuredToolInterface>()
})

test('an import without LangChain fails with the install command', async () => {
  expect(await importWithout('@langchain/core', 'src/langchain/index.ts')).toContain(
    'npm install @langchain/core',
  )
})
