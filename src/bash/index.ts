export type { HostedConfig } from '../config/types.ts'
export { BashSandbox, type BashSandboxOptions } from './bash-sandbox.ts'
export type { BashConfig, BashLimits } from './config/types.ts'
