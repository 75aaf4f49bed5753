export type { NeedsApproval } from '../tools/approval.ts'
export { sandboxEditor } from './editor.ts'
export { type SandboxShellOptions, sandboxShell } from './shell.ts'
export {
  type SandboxFunctionTool,
  type SandboxToolsOptions,
  sandboxTools,
  type ToolParameters,
} from './tools.ts'
