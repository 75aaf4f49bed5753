export { type ApprovalSandbox, approvalFrom } from './approval-from.ts'
export { type EditorToolOptions, editorTool } from './editor-tool.ts'
export {
  ENGINE_BUILTINS,
  ENGINE_COMMANDS,
  MISSING_COMMANDS,
  MISSING_FLAGS,
  type MissingNames,
  RUNTIME_COMMANDS,
} from './engine-commands.ts'
export type { SandboxToolsOptions } from './options.ts'
export type { AllTools, SandboxTool, ToolContext, ToolHints, ToolId, ToolOutput } from './sandbox-tool.ts'
export { type SandboxTools, sandboxTools } from './sandbox-tools.ts'
export { BASH_BUILTINS, BASH_COMMANDS, MISSING_IN_BASH } from './shells/bash-commands.ts'
