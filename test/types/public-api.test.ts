import { describe, expect, expectTypeOf, it } from 'vitest'
import type {
  BindConfig,
  CredentialConfig,
  ErrorCode,
  ExecuteOptions,
  ExecutionEvent,
  ExecutionResult,
  FileInfo,
  HostStats,
  Isolation,
  LimitsConfig,
  LossCode,
  OutputFile,
  SandboxStatus,
  ShellDescription,
  ShellHostOptions,
  StrandsShellConfig,
  StrandsShellSandboxOptions,
  StreamChunk,
  StreamType,
} from '../../src/index.ts'
import * as api from '../../src/index.ts'

/** A type that differs from its read-only form only if a field of it can be written. */
type DeepReadonly<T> = T extends (...args: never[]) => unknown
  ? T
  : { readonly [K in keyof T]: DeepReadonly<T[K]> }

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type ReadonlyFields<T> = { [K in keyof T]-?: Equal<Pick<T, K>, Readonly<Pick<T, K>>> }[keyof T]

describe('the public exports', () => {
  it('are these values, and no others', () => {
    expect(Object.keys(api).sort()).toEqual([
      'EngineUnavailableError',
      'HostSaturatedError',
      'ProtocolError',
      'Sandbox',
      'SandboxAbortError',
      'SandboxClosedError',
      'SandboxConfigError',
      'SandboxError',
      'SandboxIoError',
      'SandboxLimitError',
      'SandboxPathNotFoundError',
      'SandboxPermissionError',
      'SandboxTimeoutError',
      'SessionLoss',
      'ShellHost',
      'StrandsShellSandbox',
      'UnsupportedError',
      'WorkerLostError',
    ])
  })

  it('every error class extends SandboxError and has a literal code', () => {
    expectTypeOf<api.SandboxTimeoutError['code']>().toEqualTypeOf<'TIMEOUT'>()
    expectTypeOf<api.SandboxAbortError['code']>().toEqualTypeOf<'ABORTED'>()
    expectTypeOf<api.SandboxPathNotFoundError['code']>().toEqualTypeOf<'PATH_NOT_FOUND'>()
    expectTypeOf<api.SandboxPermissionError['code']>().toEqualTypeOf<'PERMISSION_DENIED'>()
    expectTypeOf<api.SandboxLimitError['code']>().toEqualTypeOf<'LIMIT_EXCEEDED'>()
    expectTypeOf<api.SandboxIoError['code']>().toEqualTypeOf<'IO_ERROR'>()
    expectTypeOf<api.SandboxConfigError['code']>().toEqualTypeOf<'INVALID_CONFIG'>()
    expectTypeOf<api.SandboxClosedError['code']>().toEqualTypeOf<'CLOSED'>()
    expectTypeOf<api.HostSaturatedError['code']>().toEqualTypeOf<'HOST_SATURATED'>()
    expectTypeOf<api.UnsupportedError['code']>().toEqualTypeOf<'UNSUPPORTED'>()
    expectTypeOf<api.EngineUnavailableError['code']>().toEqualTypeOf<'ENGINE_UNAVAILABLE'>()
    expectTypeOf<api.ProtocolError['code']>().toEqualTypeOf<'PROTOCOL'>()
    expectTypeOf<api.WorkerLostError['code']>().toExtend<ErrorCode>()
    expectTypeOf<api.SessionLoss['code']>().toEqualTypeOf<LossCode>()
    expectTypeOf<api.SandboxError>().toExtend<Error>()
    expectTypeOf<api.SandboxLimitError>().toExtend<api.SandboxError>()
    expectTypeOf<api.SandboxPathNotFoundError['path']>().toEqualTypeOf<string>()
    expectTypeOf<api.SandboxPermissionError['path']>().toEqualTypeOf<string>()
    expectTypeOf<api.SandboxIoError['path']>().toEqualTypeOf<string>()
    expectTypeOf<api.SandboxConfigError['field']>().toEqualTypeOf<string>()
    expectTypeOf<api.SandboxTimeoutError['stdout']>().toEqualTypeOf<string>()
  })
})

describe('the config', () => {
  it('is read-only through and through', () => {
    expectTypeOf<StrandsShellConfig>().toEqualTypeOf<DeepReadonly<StrandsShellConfig>>()
    expectTypeOf<ReadonlyFields<StrandsShellConfig>>().toEqualTypeOf<true>()
    expectTypeOf<ReadonlyFields<BindConfig>>().toEqualTypeOf<true>()
    expectTypeOf<ReadonlyFields<CredentialConfig>>().toEqualTypeOf<true>()
    expectTypeOf<ReadonlyFields<LimitsConfig>>().toEqualTypeOf<true>()
    expectTypeOf<ReadonlyFields<ExecuteOptions>>().toEqualTypeOf<true>()
    expectTypeOf<ReadonlyFields<ShellHostOptions>>().toEqualTypeOf<true>()
    expectTypeOf<ReadonlyFields<StrandsShellSandboxOptions>>().toEqualTypeOf<true>()
  })

  it('has these fields, and takes frozen data and explicit undefined', () => {
    expectTypeOf<keyof StrandsShellConfig>().toEqualTypeOf<
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
    >()
    expectTypeOf<Isolation>().toEqualTypeOf<'worker' | 'shared' | 'process'>()
    const frozen = {
      binds: [{ source: '.', destination: '/work', mode: 'copy', readonly: true }],
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
    }>()
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
    expectTypeOf<Shell['removeFile']>().toEqualTypeOf<(path: string) => Promise<void>>()
    expectTypeOf<Shell['listFiles']>().toEqualTypeOf<(path: string) => Promise<FileInfo[]>>()
    expectTypeOf<Shell['readText']>().toEqualTypeOf<(path: string, encoding?: string) => Promise<string>>()
    expectTypeOf<Shell['writeText']>().toEqualTypeOf<
      (path: string, content: string, encoding?: string) => Promise<void>
    >()
    expectTypeOf<Shell['getEnv']>().toEqualTypeOf<(name: string) => Promise<string | undefined>>()
    expectTypeOf<Shell['setEnv']>().toEqualTypeOf<(name: string, value: string) => Promise<void>>()
    expectTypeOf<Shell['describe']>().toEqualTypeOf<() => Promise<ShellDescription>>()
    expectTypeOf<Shell['open']>().toEqualTypeOf<() => Promise<void>>()
    expectTypeOf<Shell['close']>().toEqualTypeOf<() => Promise<void>>()
    expectTypeOf<Shell['status']>().toEqualTypeOf<SandboxStatus>()
    expectTypeOf<SandboxStatus>().toEqualTypeOf<'new' | 'opening' | 'open' | 'lost' | 'closed'>()
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
      // @ts-expect-error -- the status is not to be set
      sandbox.status = 'open'
    }
    expect(misuse).toBeTypeOf('function')
  })
})
