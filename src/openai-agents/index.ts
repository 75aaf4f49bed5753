export { sandboxEditor } from './editor.ts'
export { type SandboxShellOptions, sandboxShell } from './shell.ts'
export { type SandboxFunctionTool, type SandboxToolsOptions, sandboxTools } from './tools.ts'
