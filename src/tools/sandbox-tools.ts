import type { Sandbox } from '../sandbox/sandbox.ts'
import { codeTool } from './code-tool.ts'
import { editFileTool } from './edit-file-tool.ts'
import { listFilesTool } from './list-files-tool.ts'
import { resolveToolsOptions, type SandboxToolsOptions } from './options.ts'
import { readFileTool } from './read-file-tool.ts'
import type { AllTools, SandboxTool, ToolId } from './sandbox-tool.ts'
import { shellTool } from './shell-tool.ts'
import { type ToolKit, toolKit } from './tool-kit.ts'
import { writeFileTool } from './write-file-tool.ts'

export type { SandboxToolsOptions } from './options.ts'

const makers = {
  shell: shellTool,
  read_file: readFileTool,
  write_file: writeFileTool,
  edit_file: editFileTool,
  list_files: listFilesTool,
  run_code: codeTool,
} satisfies Readonly<Record<ToolId, (kit: ToolKit) => SandboxTool>>

/** Each tool with the schemas of its input and output. */
export type SandboxToolsById = { readonly [Id in ToolId]: ReturnType<(typeof makers)[Id]> }

/** Tools in the order of their ids, as many as there are: `const [shell] = sandboxTools(sandbox)` is a tool, and not undefined. */
export type SandboxTools<Include extends readonly ToolId[] = AllTools> = {
  -readonly [Index in keyof Include]: SandboxTool
}

/**
 * The tools that let a model work in a sandbox. They hold the sandbox, and neither open nor close it.
 *
 * @throws {SandboxConfigError} naming the option that is not valid
 */
export function sandboxTools<const Include extends readonly ToolId[] = AllTools>(
  sandbox: Sandbox,
  options?: SandboxToolsOptions & { readonly include?: Include | undefined },
): SandboxTools<Include>
export function sandboxTools(sandbox: Sandbox, options?: SandboxToolsOptions): SandboxTool[] {
  const resolved = resolveToolsOptions(options)
  const kit = toolKit(sandbox, resolved)
  return resolved.include.map((id) => makers[id](kit))
}
