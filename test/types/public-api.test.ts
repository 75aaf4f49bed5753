import { describe, expect, expectTypeOf, it } from 'vitest'
import type { BashSandbox } from '../../src/bash/index.ts'
import type {
  ApplyChangesOptions,
  ApplyReport,
  BashDescription,
  BindConfig,
  CallOptions,
  ChangeReport,
  ChangesOptions,
  CommandEventData,
  ConflictData,
  CredentialConfig,
  EngineName,
  ErrorCode,
  ExecuteOptions,
  ExecutionEvent,
  ExecutionResult,
  FileChange,
  FileInfo,
  FileStat,
  HostStats,
  Isolation,
  LimitsConfig,
  LossCode,
  OutputFile,
  PendingChange,
  RemoveOptions,
  SandboxConfig,
  SandboxEventData,
  SandboxEventMap,
  SandboxStatus,
  ShellDescription,
  ShellHostOptions,
  StrandsDescription,
  StrandsShellConfig,
  StrandsShellSandboxOptions,
  StreamChunk,
  StreamType,
  TransferOptions,
  TransferReport,
  TruncatedOutput,
} from '../../src/index.ts'
import * as api from '../../src/index.ts'
import type { JailSandbox } from '../../src/jail/index.ts'

/** A type that differs from its read-only form only if a field of it can be written. */
type DeepReadonly<T> = T extends (...args: never[]) => unknown
  ? T
  : { readonly [K in keyof T]: DeepReadonly<T[K]> }

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type ReadonlyFields<T> = { [K in keyof T]-?: Equal<Pick<T, K>, Readonly<Pick<T, K>>> }[keyof T]

describe('the public exports', () => {
  it('are these values, and no others', () => {
    expect(Object.keys(api).sort()).toEqual([
      'ClusterUnavailableError',
      'EngineUnavailableError',
      'HostSaturatedError',
      'MemoryLimitError',
      'MirrorError',
      'ProtocolError',
      'Sandbox',
      'SandboxAbortError',
      'SandboxClosedError',
      'SandboxConfigError',
      'SandboxConnectionError',
      'SandboxError',
      'SandboxIoError',
      'SandboxLimitError',
      'SandboxPathNotFoundError',
      'SandboxPermissionError',
      'SandboxTimeoutError',
      'SessionLoss',
      'ShellHost',
      'Snapshot',
      'SnapshotError',
      'StaleFenceError',
      'StrandsShellSandbox',
      'UnsupportedError',
      'WorkerLostError',
      'auditLog',
      'directoryStore',
      'isSandboxError',
      'setDefaultHost',
    ])
  })

  it('a caught error narrows by its code', () => {
    const fieldOf = (error: unknown): string | undefined => {
      if (!api.isSandboxError(error)) return undefined
      if (error.code === 'INVALID_CONFIG') return error.field
      if (error.code === 'WORKER_LOST') return error.cause.code
      return error.code
    }
    expectTypeOf<api.KnownSandboxError['code']>().toEqualTypeOf<ErrorCode>()
    expect(fieldOf(new api.SandboxConfigError('m', { field: 'binds' }))).toBe('binds')
    expect(fieldOf(new api.SandboxClosedError('m'))).toBe('CLOSED')
    expect(fieldOf(new Error('m'))).toBe(undefined)
  })

  it('every error class extends SandboxError and has a literal code', () => {
    expectTypeOf<api.SandboxTimeoutError['code']>().toEqualTypeOf<'TIMEOUT'>()
    expectTypeOf<api.SandboxAbortError['code']>().toEqualTypeOf<'ABORTED'>()
    expectTypeOf<api.SandboxPathNotFoundError['code']>().toEqualTypeOf<'PATH_NOT_FOUND'>()
    expectTypeOf<api.SandboxPermissionError['code']>().toEqualTypeOf<'PERMISSION_DENIED'>()
    expectTypeOf<api.SandboxLimitError['code']>().toEqualTypeOf<'LIMIT_EXCEEDED'>()
    expectTypeOf<api.SandboxIoError['code']>().toEqualTypeOf<'IO_ERROR'>()
    expectTypeOf<api.MirrorError['code']>().toEqualTypeOf<'MIRROR_FAILED'>()
    expectTypeOf<api.SandboxConfigError['code']>().toEqualTypeOf<'INVALID_CONFIG'>()
    expectTypeOf<api.SandboxConnectionError['code']>().toEqualTypeOf<'CONNECTION_FAILED'>()
    expectTypeOf<api.SnapshotError['code']>().toEqualTypeOf<'INVALID_SNAPSHOT'>()
    expectTypeOf<api.StaleFenceError['code']>().toEqualTypeOf<'STALE_FENCE'>()
    expectTypeOf<api.SandboxClosedError['code']>().toEqualTypeOf<'CLOSED'>()
    expectTypeOf<api.HostSaturatedError['code']>().toEqualTypeOf<'HOST_SATURATED'>()
    expectTypeOf<api.UnsupportedError['code']>().toEqualTypeOf<'UNSUPPORTED'>()
    expectTypeOf<api.EngineUnavailableError['code']>().toEqualTypeOf<'ENGINE_UNAVAILABLE'>()
    expectTypeOf<api.ProtocolError['code']>().toEqualTypeOf<'PROTOCOL'>()
    expectTypeOf<api.WorkerLostError['code']>().toExtend<ErrorCode>()
    expectTypeOf<api.WorkerLostError['cause']>().toEqualTypeOf<api.SessionLoss>()
    expectTypeOf<api.SessionLoss['code']>().toEqualTypeOf<LossCode>()
    expectTypeOf<api.SandboxError>().toExtend<Error>()
    expectTypeOf<api.SandboxLimitError>().toExtend<api.SandboxError>()
    expectTypeOf<api.SandboxPathNotFoundError['path']>().toEqualTypeOf<string>()
    expectTypeOf<api.SandboxPermissionError['path']>().toEqualTypeOf<string>()
    expectTypeOf<api.SandboxIoError['path']>().toEqualTypeOf<string>()
    expectTypeOf<api.SandboxConfigError['field']>().toEqualTypeOf<string>()
    expectTypeOf<api.SandboxTimeoutError['stdout']>().toEqualTypeOf<string>()
    expectTypeOf<
      Pick<api.MirrorError, 'written' | 'pending' | 'stdout' | 'stderr' | 'exitCode'>
    >().toEqualTypeOf<{
      readonly written: readonly string[]
      readonly pending: readonly PendingChange[]
      readonly stdout: string
      readonly stderr: string
      readonly exitCode: number | undefined
    }>()
    expectTypeOf<PendingChange>().toEqualTypeOf<{ readonly path: string; readonly reason: string }>()
  })
})

describe('the shells of a host', () => {
  it('decide the class of what it opens, and what its config takes', () => {
    const opened = (host: api.ShellHost, ofBash: api.ShellHost<'bash'>, config: SandboxConfig) => ({
      plain: host.open(),
      timed: host.sandbox({ timeout: 5 }),
      bash: host.open({ shell: 'bash', python: true }),
      named: host.getOrOpen('a', { shell: 'bash', cwd: '/tmp' }),
      either: host.open<EngineName>(config),
      standard: ofBash.open({ python: true }),
      strands: ofBash.sandbox({ shell: 'strands', configFile: 'x.toml' }),
      found: host.get('a'),
    })
    type Opened = ReturnType<typeof opened>
    expectTypeOf<Opened['plain']>().toEqualTypeOf<Promise<api.StrandsShellSandbox>>()
    expectTypeOf<Opened['timed']>().toEqualTypeOf<api.StrandsShellSandbox>()
    expectTypeOf<Opened['bash']>().toEqualTypeOf<Promise<BashSandbox>>()
    expectTypeOf<Opened['named']>().toEqualTypeOf<Promise<BashSandbox>>()
    expectTypeOf<Awaited<Opened['either']>>().toEqualTypeOf<
      BashSandbox | JailSandbox | api.StrandsShellSandbox
    >()
    expectTypeOf<Opened['standard']>().toEqualTypeOf<Promise<BashSandbox>>()
    expectTypeOf<Opened['strands']>().toEqualTypeOf<api.StrandsShellSandbox>()
    expectTypeOf<Opened['found']>().toEqualTypeOf<
      BashSandbox | JailSandbox | api.StrandsShellSandbox | undefined
    >()
    expectTypeOf(new api.ShellHost({ defaults: { shell: 'bash', python: true } })).toEqualTypeOf<
      api.ShellHost<'bash'>
    >()
    expectTypeOf(new api.ShellHost({ maxCells: 1 })).toEqualTypeOf<api.ShellHost>()
  })

  it('refuse what the config of a shell does not have', () => {
    const misuse = async (host: api.ShellHost) => {
      // @ts-expect-error -- a field of the other shell
      await host.open({ python: true })
      // @ts-expect-error -- a mistyped field
      await host.open({ shell: 'bash', pyton: true })
      // @ts-expect-error -- a field of the other shell
      await host.run('true', { shell: 'bash', configFile: 'x.toml' })
      // @ts-expect-error -- no such shell
      await host.open({ shell: 'zsh' })
      await host.run('true', { shell: 'bash', python: true, files: { in: 'x' }, collect: ['in'] })
      host.map([{ command: 'true' }, { command: 'true', shell: 'bash', python: true }])
    }
    expect(misuse).toBeTypeOf('function')
  })
})

describe('the config', () => {
  it('is read-only through and through', () => {
    type Plain = Omit<StrandsShellConfig, 'files'>
    expectTypeOf<Plain>().toEqualTypeOf<DeepReadonly<Plain>>()
    expectTypeOf<ReadonlyFields<StrandsShellConfig>>().toEqualTypeOf<true>()
    expectTypeOf<ReadonlyFields<BindConfig>>().toEqualTypeOf<true>()
    expectTypeOf<ReadonlyFields<CredentialConfig>>().toEqualTypeOf<true>()
    expectTypeOf<ReadonlyFields<LimitsConfig>>().toEqualTypeOf<true>()
    expectTypeOf<ReadonlyFields<ChangesOptions>>().toEqualTypeOf<true>()
    expectTypeOf<ReadonlyFields<ApplyChangesOptions>>().toEqualTypeOf<true>()
    expectTypeOf<ReadonlyFields<ExecuteOptions>>().toEqualTypeOf<true>()
    expectTypeOf<ReadonlyFields<ShellHostOptions>>().toEqualTypeOf<true>()
    expectTypeOf<ReadonlyFields<StrandsShellSandboxOptions>>().toEqualTypeOf<true>()
  })

  it('has these fields, and takes frozen data and explicit undefined', () => {
    expectTypeOf<keyof StrandsShellConfig>().toEqualTypeOf<
      | 'shell'
      | 'checkpoint'
      | 'files'
      | 'cwd'
      | 'init'
      | 'writable'
      | 'network'
      | 'binds'
      | 'credentials'
      | 'allowedUrls'
      | 'env'
      | 'umask'
      | 'timeout'
      | 'limits'
      | 'configFile'
      | 'isolation'
      | 'onInterrupt'
      | 'onLost'
      | 'maxPending'
      | 'labels'
      | 'policy'
      | 'policyTimeout'
      | 'approvalTimeout'
    >()
    expectTypeOf<keyof BindConfig>().toEqualTypeOf<
      'source' | 'destination' | 'mode' | 'readonly' | 'exclude'
    >()
    expectTypeOf<BindConfig['mode']>().toEqualTypeOf<'direct' | 'copy' | 'passthrough' | undefined>()
    expectTypeOf<{ mirrorMaxFiles: 1; mirrorMaxBytes: 1 }>().toExtend<LimitsConfig>()
    expectTypeOf<Isolation>().toEqualTypeOf<'worker' | 'shared' | 'process'>()
    const frozen = {
      binds: [{ source: '.', destination: '/work', mode: 'copy', readonly: true, exclude: ['*.log'] }],
      env: { A: 'b' },
      timeout: undefined,
      onLost: 'fail',
    } as const
    expectTypeOf(frozen).toExtend<StrandsShellConfig>()
    expectTypeOf<{ timeout: undefined; env: undefined }>().toExtend<StrandsShellConfig>()
    expectTypeOf<{ timeout: string }>().not.toExtend<StrandsShellConfig>()
    expectTypeOf<{ onLost: 'ignore' }>().not.toExtend<StrandsShellConfig>()
    expectTypeOf<{ binds: { source: string }[] }>().not.toExtend<StrandsShellConfig>()
  })

  it('is checked where it is written: unknown keys do not compile', () => {
    // @ts-expect-error -- a mistyped key
    const mistyped: StrandsShellConfig = { timeOut: 1 }
    // @ts-expect-error -- a mistyped limit
    const limits: StrandsShellConfig = { limits: { maxOutputs: 1 } }
    expect([Object.keys(mistyped), Object.keys(limits)]).toEqual([['timeOut'], ['limits']])
  })
})

describe('results', () => {
  it('an execution result has exactly these fields', () => {
    expectTypeOf<ExecutionResult>().toEqualTypeOf<{
      readonly type: 'executionResult'
      readonly exitCode: number
      readonly stdout: string
      readonly stderr: string
      readonly outputFiles: OutputFile[]
      readonly timedOut: boolean
      readonly truncated: false | TruncatedOutput
      readonly durationMs: number
    }>()
    expectTypeOf<TruncatedOutput>().toEqualTypeOf<{ readonly stdout?: number; readonly stderr?: number }>()
  })

  it('an event is a chunk or a result, told apart by its type', () => {
    expectTypeOf<ExecutionEvent>().toEqualTypeOf<StreamChunk | ExecutionResult>()
    expectTypeOf<Extract<ExecutionEvent, { type: 'streamChunk' }>>().toEqualTypeOf<StreamChunk>()
    expectTypeOf<StreamChunk>().toEqualTypeOf<{
      readonly type: 'streamChunk'
      readonly data: string
      readonly streamType: StreamType
    }>()
    expectTypeOf<StreamType>().toEqualTypeOf<'stdout' | 'stderr'>()
  })

  it('fields of a FileInfo that are not known are absent, not undefined', () => {
    expectTypeOf<FileInfo>().toEqualTypeOf<{
      readonly name: string
      readonly isDir?: boolean
      readonly size?: number
    }>()
    // @ts-expect-error -- exactOptionalPropertyTypes: undefined is no size
    const entry: FileInfo = { name: 'a', size: undefined }
    expect(entry.name).toBe('a')
  })
})

describe('reports on binds', () => {
  it('have exactly these fields', () => {
    expectTypeOf<ConflictData>().toEqualTypeOf<{
      readonly path: string
      readonly hostPath: string
      readonly kept?: string
    }>()
    expectTypeOf<FileChange>().toEqualTypeOf<{
      readonly bind: string
      readonly path: string
      readonly kind: 'file' | 'directory' | 'link'
      readonly change: 'added' | 'changed' | 'removed'
    }>()
    expectTypeOf<ChangeReport>().toEqualTypeOf<{
      readonly mark: string
      readonly changes: readonly FileChange[]
    }>()
    expectTypeOf<ApplyReport>().toEqualTypeOf<{
      readonly written: readonly string[]
      readonly removed: readonly string[]
      readonly conflicts: readonly ConflictData[]
    }>()
    expectTypeOf<ShellDescription['skipped']>().toEqualTypeOf<
      readonly { readonly bind: string; readonly path: string; readonly reason: string }[]
    >()
    expectTypeOf<ShellDescription['binds'][number]['exclude']>().toEqualTypeOf<
      readonly string[] | undefined
    >()
  })

  it('are asked for with these options', () => {
    expectTypeOf<keyof CallOptions>().toEqualTypeOf<'timeout' | 'signal'>()
    expectTypeOf<keyof ChangesOptions>().toEqualTypeOf<'since' | keyof CallOptions>()
    expectTypeOf<keyof ApplyChangesOptions>().toEqualTypeOf<'bind' | 'paths' | keyof CallOptions>()
    expectTypeOf<{ bind: string }>().toExtend<ApplyChangesOptions>()
    expectTypeOf<{ paths: string[] }>().not.toExtend<ApplyChangesOptions>()
  })
})

describe('StrandsShellSandbox', () => {
  it('is a Sandbox, and can be disposed of', () => {
    expectTypeOf<api.StrandsShellSandbox>().toExtend<api.Sandbox>()
    expectTypeOf<api.StrandsShellSandbox>().toExtend<AsyncDisposable>()
    expectTypeOf<api.ShellHost>().toExtend<AsyncDisposable>()
  })

  it('has these methods', () => {
    type Shell = api.StrandsShellSandbox
    expectTypeOf(api.StrandsShellSandbox).constructorParameters.toEqualTypeOf<
      [config?: StrandsShellConfig | undefined, options?: StrandsShellSandboxOptions | undefined]
    >()
    expectTypeOf(api.StrandsShellSandbox.open).returns.toEqualTypeOf<Promise<Shell>>()
    expectTypeOf<Shell['execute']>().toEqualTypeOf<
      (command: string, options?: ExecuteOptions) => Promise<ExecutionResult>
    >()
    expectTypeOf<Shell['executeCode']>().toEqualTypeOf<
      (code: string, language: string, options?: ExecuteOptions) => Promise<ExecutionResult>
    >()
    expectTypeOf<ReturnType<Shell['executeStreaming']>>().toExtend<
      AsyncGenerator<ExecutionEvent, void, undefined>
    >()
    expectTypeOf<ReturnType<Shell['executeCodeStreaming']>>().toExtend<
      AsyncGenerator<ExecutionEvent, void, undefined>
    >()
    expectTypeOf<Shell['readFile']>().toEqualTypeOf<(path: string) => Promise<Uint8Array>>()
    expectTypeOf<Shell['writeFile']>().toEqualTypeOf<(path: string, content: Uint8Array) => Promise<void>>()
    expectTypeOf<Shell['removeFile']>().toEqualTypeOf<
      (path: string, options?: RemoveOptions) => Promise<void>
    >()
    expectTypeOf<Shell['stat']>().toEqualTypeOf<(path: string) => Promise<FileStat>>()
    expectTypeOf<Shell['importDirectory']>().toEqualTypeOf<
      (hostPath: string, path: string, options?: TransferOptions) => Promise<TransferReport>
    >()
    expectTypeOf<Shell['exportDirectory']>().toEqualTypeOf<
      (path: string, hostPath: string, options?: TransferOptions) => Promise<TransferReport>
    >()
    expectTypeOf<Shell['listFiles']>().toEqualTypeOf<(path: string) => Promise<FileInfo[]>>()
    expectTypeOf<Shell['readText']>().toEqualTypeOf<(path: string, encoding?: string) => Promise<string>>()
    expectTypeOf<Shell['writeText']>().toEqualTypeOf<
      (path: string, content: string, encoding?: string) => Promise<void>
    >()
    expectTypeOf<Shell['getEnv']>().toEqualTypeOf<(name: string) => Promise<string | undefined>>()
    expectTypeOf<Shell['setEnv']>().toEqualTypeOf<(name: string, value: string) => Promise<void>>()
    expectTypeOf<Shell['describe']>().toEqualTypeOf<() => Promise<StrandsDescription>>()
    expectTypeOf<BashSandbox['describe']>().toEqualTypeOf<() => Promise<BashDescription>>()
    expectTypeOf<StrandsDescription['limits']['maxInodes']>().toEqualTypeOf<number>()
    expectTypeOf<BashDescription['limits']['maxFileSystem']>().toEqualTypeOf<number>()
    expectTypeOf<ShellDescription['binds'][number]['mode']>().toEqualTypeOf<
      'direct' | 'copy' | 'passthrough' | 'overlay'
    >()
    expectTypeOf<Shell['changes']>().toEqualTypeOf<(options?: ChangesOptions) => Promise<ChangeReport>>()
    expectTypeOf<Shell['applyChanges']>().toEqualTypeOf<
      (options: ApplyChangesOptions) => Promise<ApplyReport>
    >()
    expectTypeOf<SandboxEventMap['conflict']>().toExtend<ConflictData & SandboxEventData>()
    expectTypeOf<SandboxEventMap['command']>().toExtend<CommandEventData & SandboxEventData>()
    expectTypeOf<Parameters<Shell['on']>[0]>().toEqualTypeOf<keyof SandboxEventMap>()
    expectTypeOf<Shell['open']>().toEqualTypeOf<() => Promise<void>>()
    expectTypeOf<Shell['close']>().toEqualTypeOf<() => Promise<void>>()
    expectTypeOf<Shell['status']>().toEqualTypeOf<SandboxStatus>()
    expectTypeOf<SandboxStatus>().toEqualTypeOf<
      'new' | 'opening' | 'open' | 'lost' | 'hibernated' | 'closed'
    >()
    expectTypeOf<Shell['generation']>().toEqualTypeOf<number>()
  })

  it('status and generation are read-only', () => {
    expectTypeOf<
      ReadonlyFields<Pick<api.StrandsShellSandbox, 'status' | 'generation'>>
    >().toEqualTypeOf<true>()
    expectTypeOf<ReadonlyFields<HostStats>>().toEqualTypeOf<true>()
  })

  it('wrong arguments do not compile', () => {
    const misuse = (sandbox: api.StrandsShellSandbox) => {
      // @ts-expect-error -- a command is a string
      void sandbox.execute(['ls'])
      // @ts-expect-error -- content is bytes
      void sandbox.writeFile('/tmp/a', 'text')
      // @ts-expect-error -- the language has no default
      void sandbox.executeCode('print(1)')
      // @ts-expect-error -- variables are strings
      void sandbox.execute('env', { env: { A: 1 } })
      // @ts-expect-error -- paths alone name no bind
      void sandbox.applyChanges({ paths: ['/work/a'] })
      // @ts-expect-error -- there is no such event
      sandbox.on('change', () => undefined)
      // @ts-expect-error -- the status is not to be set
      sandbox.status = 'open'
    }
    expect(misuse).toBeTypeOf('function')
  })
})
