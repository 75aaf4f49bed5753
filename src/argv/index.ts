export type { ArgvSandbox, ExecOptions, ExecResult, TruncatedExec } from './argv-sandbox.ts'
export { ArgvBridge } from './bridge/argv-bridge.ts'
export type { BridgedSandbox, CommandResult, HostBind } from './bridge/bridged-sandbox.ts'
export type { ArgvBridgeOptions } from './bridge/options.ts'
export { CodeAdapter, type CodeAdapterOptions } from './code/code-adapter.ts'
export {
  DEFAULT_RUNNERS,
  type FileRunner,
  type InlineRunner,
  type LanguageRunner,
  type LanguageRunners,
} from './code/runners.ts'
export { type OpenedSandbox, perRun, type SandboxFactory, singleton } from './factory.ts'
export { LocalSandbox } from './local/local-sandbox.ts'
export type { LocalSandboxOptions } from './local/options.ts'
export { READONLY_COMMANDS } from './shell/readonly-commands.ts'
export { type AdapterRunOptions, ShellAdapter, type ShellAdapterOptions } from './shell/shell-adapter.ts'
