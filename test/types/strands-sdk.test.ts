import type * as sdk from '@strands-agents/sdk'
import { expectTypeOf, it } from 'vitest'
import type {
  ExecuteOptions,
  ExecutionEvent,
  ExecutionResult,
  FileInfo,
  OutputFile,
  Sandbox,
  StrandsShellSandbox,
  StreamChunk,
  StreamType,
} from '../../src/index.ts'
import type { CommandSandbox, PosixShellSandbox } from '../../src/posix/index.ts'

it('our sandboxes are sandboxes of the Strands SDK', () => {
  expectTypeOf<Sandbox>().toExtend<sdk.Sandbox>()
  expectTypeOf<StrandsShellSandbox>().toExtend<sdk.Sandbox>()
  expectTypeOf<PosixShellSandbox>().toExtend<sdk.Sandbox>()
  expectTypeOf<CommandSandbox>().toExtend<sdk.Sandbox>()
})

it('chunks and entries are those of the SDK, field for field, and results have facts besides', () => {
  expectTypeOf<ExecutionResult>().toExtend<sdk.ExecutionResult>()
  type Facts = 'timedOut' | 'truncated' | 'durationMs'
  expectTypeOf<Omit<ExecutionResult, Facts>>().toEqualTypeOf<sdk.ExecutionResult>()
  expectTypeOf<StreamChunk>().toEqualTypeOf<sdk.StreamChunk>()
  expectTypeOf<StreamType>().toEqualTypeOf<sdk.StreamType>()
  expectTypeOf<FileInfo>().toEqualTypeOf<sdk.FileInfo>()
  expectTypeOf<OutputFile>().toEqualTypeOf<sdk.OutputFile>()
  expectTypeOf<ExecutionEvent>().toExtend<sdk.StreamChunk | sdk.ExecutionResult>()
})

it('options of the SDK are options of ours', () => {
  expectTypeOf<sdk.ExecuteOptions>().toExtend<ExecuteOptions>()
  expectTypeOf<Exclude<keyof ExecuteOptions, 'stdin' | 'secretEnv'>>().toEqualTypeOf<
    keyof sdk.ExecuteOptions
  >()
})
