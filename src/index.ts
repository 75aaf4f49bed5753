export type { NetworkMode } from './cells/cell-network.ts'
export type { ErrorCode, LossCode } from './contract/errors.ts'
export type {
  ApplyReport,
  ChangeReport,
  ConflictData,
  FileChange,
  ShellDescription,
} from './contract/shell-api.ts'
export type { EgressDecision, EgressEnd } from './host/egress/events.ts'
export type { EgressReason } from './host/egress/reasons.ts'
export type { Durations, Totals } from './host/figures.ts'
export type { HostStats } from './host/host-core.ts'
export type { HostEvent, HostEventMap, HostListener, SandboxEventData } from './host/host-events.ts'
export type { MachineLoad } from './host/machine-load.ts'
export type { MapOptions, MapResult } from './host/map-runs.ts'
export type { RunOptions, RunRequest } from './host/one-shot.ts'
export type { Isolation, ShellHostOptions } from './host/options.ts'
export type { RunRequests } from './host/request-source.ts'
export { type OpenOptions, type SandboxInfo, ShellHost, setDefaultHost } from './host/shell-host.ts'
export type { CloseReason } from './host/tenancy.ts'
export * from './sandbox/errors.ts'
export type {
  ExecuteManyOptions,
  ExecuteOptions,
  ExecutionEvent,
  ExecutionResult,
  FileInfo,
  OutputFile,
  StreamChunk,
  StreamType,
} from './sandbox/results.ts'
export { Sandbox } from './sandbox/sandbox.ts'
export type {
  ApplyChangesOptions,
  CallOptions,
  ChangesOptions,
} from './strands-shell/config/change-options.ts'
export type { StrandsShellSandboxOptions } from './strands-shell/config/sandbox-options.ts'
export type {
  BindConfig,
  CredentialConfig,
  LimitsConfig,
  StrandsShellConfig,
} from './strands-shell/config/types.ts'
export type { ConflictListener } from './strands-shell/sandbox-events.ts'
export type { SandboxStatus } from './strands-shell/status.ts'
export { StrandsShellSandbox } from './strands-shell/strands-shell-sandbox.ts'
export type { SandboxSummary } from './strands-shell/summary.ts'
export type { SyncCalls } from './strands-shell/sync-calls.ts'
