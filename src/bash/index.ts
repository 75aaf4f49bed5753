export type { Base64Content, DirectoryFiles, FileContent, StartFiles } from '../config/files.ts'
export type {
  HostCommand,
  HostCommandContext,
  HostCommandMap,
  HostCommandResult,
} from '../config/host-command.ts'
export type { BindConfig, HostedConfig } from '../config/types.ts'
export { BashSandbox, type BashSandboxOptions } from './bash-sandbox.ts'
export type { BashBindConfig, BashConfig, BashLimits } from './config/types.ts'
