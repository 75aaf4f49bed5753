export { type AuditLog, type AuditStats, auditLog } from './audit/audit-log.ts'
export type { AuditLogOptions } from './audit/options.ts'
export type { BashSandbox } from './bash/bash-sandbox.ts'
export type { BashConfig, BashLimits } from './bash/config/types.ts'
export type {
  ApplyChangesOptions,
  CallOptions,
  ChangesOptions,
} from './config/change-options.ts'
export type { CheckpointPolicy, CheckpointTimes } from './config/continuation.ts'
export type { Base64Content, DirectoryFiles, FileContent, StartFiles } from './config/files.ts'
export type { BindConfig, CredentialConfig, HostedConfig } from './config/types.ts'
export type { OmittedPart } from './contract/checkpoint.ts'
export type { ErrorCode, LossCode } from './contract/errors.ts'
export type { HostNetwork, Isolation, NetworkMode } from './contract/isolation.ts'
export type { EngineName } from './contract/lease.ts'
export type { PolicyRules } from './contract/policy-rules.ts'
export type {
  ApplyReport,
  BashDescription,
  ChangeReport,
  ConflictData,
  FileChange,
  FileStat,
  ShellDescription,
  StrandsDescription,
  StrandsLimits,
  TruncatedOutput,
} from './contract/shell-api.ts'
export type { BashLimitsRecord } from './contract/shell-record.ts'
export type { AuditEvent, AuditSink } from './host/audit-sink.ts'
export type { CloseReason, HibernateReason } from './host/end-reasons.ts'
export type {
  CommandEventData,
  EgressSource,
  FileEventData,
  Labels,
  PolicyEventData,
  SandboxEvent,
  SandboxEventData,
  SandboxEventFields,
  SandboxEventMap,
  SandboxNames,
} from './host/event-data.ts'
export type { Durations, Totals } from './host/figures.ts'
export type { HibernateOptions } from './host/hibernation/options.ts'
export type { HostStats } from './host/host-stats.ts'
export type { MachineLoad } from './host/machine-load.ts'
export type { SandboxListener } from './host/sandbox-events.ts'
export type { SandboxHost } from './host/sandbox-host.ts'
export type { CellsFor, TenantQuota, TenantQuotas } from './host/tenants/options.ts'
export type { TenantFigures } from './host/tenants/tenants.ts'
export type { HostedSandbox } from './hosted-sandbox/hosted-sandbox.ts'
export type { HostedSandboxOptions } from './hosted-sandbox/sandbox-options.ts'
export type { SandboxSummary } from './hosted-sandbox/summary.ts'
export type { SyncCalls } from './hosted-sandbox/sync-calls.ts'
export type { EgressDecision, EgressEnd } from './network/events.ts'
export type { EgressReason } from './network/reasons.ts'
export type {
  AnalyzedAssignment,
  AnalyzedCommand,
  AnalyzedRedirect,
  OpaquePart,
  ScriptAnalysis,
} from './policy/analysis.ts'
export type {
  ApprovalRequest,
  Approver,
  FileOperation,
  Policy,
  PolicyCall,
  PolicySandbox,
  Verdict,
} from './policy/types.ts'
export * from './sandbox/errors.ts'
export type { RemoveOptions } from './sandbox/file-arguments.ts'
export { isSandboxError, type KnownSandboxError } from './sandbox/known-error.ts'
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
  SkippedEntry,
  SkipReason,
  TransferOptions,
  TransferProgress,
  TransferReport,
} from './sandbox/transfer/request.ts'
export type { SandboxStatus } from './session/status.ts'
export type { MapOptions, MapResult } from './shell-host/map-runs.ts'
export type { OneShotFields, OneShotOptions, OneShotRequest } from './shell-host/one-shot.ts'
export type { ShellHostOptions } from './shell-host/options.ts'
export type { OneShotRequests } from './shell-host/request-source.ts'
export type { OpenConfig, SandboxConfig } from './shell-host/sandbox-config.ts'
export {
  type DrainOptions,
  type OpenOptions,
  type SandboxInfo,
  ShellHost,
  setDefaultHost,
} from './shell-host/shell-host.ts'
export type { ShellConfigs, ShellSandboxes } from './shell-host/shells.ts'
export {
  type CollectOptions,
  type CollectReport,
  type DirectoryStore,
  type DirectoryStoreOptions,
  directoryStore,
} from './snapshot/directory-store/directory-store.ts'
export type { SnapshotLimits } from './snapshot/limits.ts'
export type { SnapshotKey } from './snapshot/signature.ts'
export { Snapshot, type SnapshotBytesOptions, type SnapshotReadOptions } from './snapshot/snapshot.ts'
export type {
  DeleteSnapshotOptions,
  PutSnapshotOptions,
  SnapshotStore,
  StoredSnapshot,
} from './snapshot/store.ts'
export type { LimitsConfig, StrandsShellConfig } from './strands-shell/config/types.ts'
export {
  StrandsShellSandbox,
  type StrandsShellSandboxOptions,
} from './strands-shell/strands-shell-sandbox.ts'
