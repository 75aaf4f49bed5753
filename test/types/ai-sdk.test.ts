import type { InferUITools, ToolSet, UIMessage } from 'ai'
import { expect, expectTypeOf, it } from 'vitest'
import { type SandboxToolSet, type SandboxToolsOptions, sandboxTools } from '../../src/ai-sdk/index.ts'
import { StrandsShellSandbox } from '../../src/index.ts'

const sandbox = new StrandsShellSandbox()

interface CommandData {
  exitCode: number
  stdout: string
  stderr: string
  timedOut: boolean
  truncated: boolean
  durationMs: number
  files: string[]
}

it('a tool set has the names of all tools, each with its types', () => {
  const tools = sandboxTools(sandbox)
  expectTypeOf(tools).toExtend<ToolSet>()
  type Tools = InferUITools<typeof tools>
  expectTypeOf<keyof Tools>().toEqualTypeOf<
    'shell' | 'read_file' | 'write_file' | 'edit_file' | 'list_files' | 'run_code'
  >()
  expectTypeOf<Tools['shell']['input']>().toEqualTypeOf<{ command: string; timeout?: number | undefined }>()
  expectTypeOf<Tools['write_file']['input']>().toEqualTypeOf<{ path: string; content: string }>()
  expectTypeOf<Tools['run_code']['input']['language']>().toEqualTypeOf<string>()
  type Ran = Extract<Tools['shell']['output'], { isError: false }>
  expectTypeOf<Ran['data']>().toEqualTypeOf<CommandData>()
  type Failed = Extract<Tools['shell']['output'], { isError: true }>
  expectTypeOf<Failed['data']>().toEqualTypeOf<{ readonly code: string; readonly message: string }>()
  expect(Object.keys(tools)).toHaveLength(6)
})

it('has the tools that the call includes, under the names that it gives', () => {
  const tools = sandboxTools(sandbox, { include: ['shell', 'read_file'], names: { shell: 'bash' } })
  type Tools = InferUITools<typeof tools>
  expectTypeOf<keyof Tools>().toEqualTypeOf<'bash' | 'read_file'>()
  expectTypeOf<Tools['bash']['input']['command']>().toEqualTypeOf<string>()
  expectTypeOf<Tools['read_file']['input']['path']>().toEqualTypeOf<string>()
  expect(Object.keys(tools)).toEqual(['bash', 'read_file'])
})

it('types the parts of messages', () => {
  const tools = sandboxTools(sandbox, { include: ['shell'] })
  type Part = UIMessage<unknown, never, InferUITools<typeof tools>>['parts'][number]
  const commandOf = (part: Part): string | undefined =>
    part.type === 'tool-shell' ? part.input?.command : undefined
  expect(commandOf({ type: 'text', text: 'x' })).toBeUndefined()
})

it('has any names where the options are not known', () => {
  const options: SandboxToolsOptions = { include: ['shell'] }
  const tools = sandboxTools(sandbox, options)
  expectTypeOf<keyof typeof tools>().toEqualTypeOf<string>()
  expectTypeOf<SandboxToolSet>().toExtend<ToolSet>()
  expect(Object.keys(tools)).toEqual(['shell'])
})
