export type { Base64Content, DirectoryFiles, FileContent, StartFiles } from '../config/files.ts'
export type { BindConfig, HostedConfig } from '../config/types.ts'
export type { JailBindConfig, JailConfig, JailLimits } from './config/types.ts'
export { JailSandbox, type JailSandboxOptions } from './jail-sandbox.ts'
