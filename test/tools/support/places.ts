import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe } from 'vitest'
import { BashSandbox } from '../../../src/bash/index.ts'
import { StrandsShellSandbox } from '../../../src/index.ts'
import { localShell } from '../../../src/posix/index.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { type SandboxToolsOptions, sandboxTools } from '../../../src/tools/index.ts'
import type { ToolContext, ToolId, ToolOutput } from '../../../src/tools/sandbox-tool.ts'

/** A place for tools: a sandbox that lasts for the suite, and a directory in it for its files. */
export interface ToolPlace {
  readonly sandbox: Sandbox
  readonly directory: string
  call(id: ToolId, input: unknown, options?: SandboxToolsOptions, context?: ToolContext): Promise<ToolOutput>
}

/** Describes the same of the tools on both engines and on a shell of this machine. */
export function describePlaces(what: string, tests: (place: () => ToolPlace) => void): void {
  describe(`${what} (worker)`, () => {
    const sandbox = new StrandsShellSandbox({ isolation: 'worker' })
    afterAll(() => sandbox.close())
    tests(() => placeOf(sandbox, '/tmp/place'))
  })
  describe(`${what} (bash)`, () => {
    const sandbox = new BashSandbox({ isolation: 'worker' })
    afterAll(() => sandbox.close())
    tests(() => placeOf(sandbox, '/work/place'))
  })
  describe(`${what} (local sh)`, () => {
    const directory = mkdtempSync(join(tmpdir(), 'tools-'))
    afterAll(() => rmSync(directory, { recursive: true, force: true }))
    tests(() => placeOf(localShell({ cwd: directory }), directory))
  })
}

function placeOf(sandbox: Sandbox, directory: string): ToolPlace {
  return {
    sandbox,
    directory,
    call: (id, input, options, context) => callTool(sandbox, id, input, options, context),
  }
}

/** Calls one tool of a sandbox; long output goes into its `directory`, if at all. */
export async function callTool(
  sandbox: Sandbox,
  id: ToolId,
  input: unknown,
  options?: SandboxToolsOptions,
  context?: ToolContext,
): Promise<ToolOutput> {
  const [tool] = sandboxTools(sandbox, { ...options, include: [id] })
  if (tool === undefined) throw new Error(`no tool ${id}`)
  const output = await tool.run(input, context)
  if (!output.isError) tool.output.strict().parse(output.data)
  return output
}
