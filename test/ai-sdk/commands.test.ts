import { jsonSchema, tool } from 'ai'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { commandsFromTools } from '../../src/ai-sdk/index.ts'
import { BashSandbox } from '../../src/bash/index.ts'
import { until } from '../faults/helpers.ts'
import { result } from '../strands-shell/support/expected.ts'

let stopped = false

const tools = {
  weather: tool({
    description: 'Tells the weather.',
    inputSchema: z.object({
      city: z.string().min(2).describe('The city.'),
      days: z.number().int().max(7).default(1),
    }),
    execute: async ({ city, days }) => ({
      city,
      temperatures: Array.from({ length: days }, (_, day) => 20 + day),
    }),
  }),
  shout: tool({
    inputSchema: jsonSchema<{ text: string }>({
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
    }),
    async *execute({ text }) {
      yield 'first'
      yield text.toUpperCase()
    },
  }),
  fails: tool({
    inputSchema: z.object({}),
    execute: (): string => {
      throw new Error('no service')
    },
  }),
  hangs: tool({
    inputSchema: z.object({}),
    execute: (_input, { abortSignal }) =>
      new Promise<string>((resolve) =>
        abortSignal?.addEventListener('abort', () => {
          stopped = true
          resolve('late')
        }),
      ),
  }),
}

async function open(): Promise<BashSandbox> {
  const sandbox = await BashSandbox.open({
    isolation: 'worker',
    commands: await commandsFromTools(tools),
    timeout: 2,
  })
  onTestFinished(() => sandbox.close())
  return sandbox
}

it('tools are commands that compose', async () => {
  const sandbox = await open()
  expect(
    await sandbox.execute(
      `weather --city Rome --days 2 | jq -c .temperatures; echo hi | shout --text - | tr -d '\\n'`,
    ),
  ).toEqual(result({ stdout: '[20,21]\nHI' }))
  expect(await sandbox.execute(`echo '{"city":"Oslo"}' | weather --json -`)).toEqual(
    result({ stdout: '{"city":"Oslo","temperatures":[20]}\n' }),
  )
})

it('wrong words give exit code 2 and the usage, a failing tool 1 and its message', async () => {
  const sandbox = await open()
  expect(await sandbox.execute('weather --town x')).toEqual(
    result({
      exitCode: 2,
      stderr:
        'weather: --town is not an option\nusage: weather --city <string> [options]\nTry: weather --help\n',
    }),
  )
  expect(await sandbox.execute('weather --city x')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^weather: .*>=2 characters/s),
  })
  expect(await sandbox.execute('fails')).toEqual(result({ exitCode: 1, stderr: 'fails: no service\n' }))
  expect((await sandbox.execute('weather --help')).stdout).toMatch(
    /^usage: weather --city <string> \[options\]\n\nTells the weather\.\n\n {2}--city <string> +The city\. \(required\)\n/,
  )
})

it('the time limit of the command reaches the tool', async () => {
  const sandbox = await open()
  expect((await sandbox.execute('hangs')).exitCode).toBe(124)
  await until(() => stopped)
})

it('tools that nothing executes, or that need approval, are refused', async () => {
  const inputSchema = z.object({})
  await expect(commandsFromTools({ client: tool({ inputSchema }) })).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
    field: 'tools.client',
  })
  await expect(
    commandsFromTools({ pay: tool({ inputSchema, needsApproval: true, execute: () => 'paid' }) }),
  ).rejects.toMatchObject({ field: 'tools.pay' })
})
