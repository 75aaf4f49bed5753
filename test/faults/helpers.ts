import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { afterAll, expect, onTestFinished } from 'vitest'
import {
  SandboxError,
  SessionLoss,
  ShellHost,
  type ShellHostOptions,
  type StrandsShellConfig,
  StrandsShellSandbox,
} from '../../src/index.ts'
import type { OpenFault } from '../fixtures/faulty-engine.ts'
import { faultyWorker, within } from './basics.ts'

export { durationOf, faultyWorker, until, within } from './basics.ts'

/** How a cleanup is put off to the test's end: concurrent tests pass the one of their own context. */
type AtEnd = (cleanup: () => void | Promise<void>) => void

/** A host that the test's end closes. */
export function makeHost(options: ShellHostOptions = {}, atEnd: AtEnd = onTestFinished): ShellHost {
  const host = new ShellHost({ isolation: 'worker', ...options })
  atEnd(() => within(60, host.close()))
  return host
}

/** A host for all tests of a suite, whose end closes it: the start of a thread takes more than a test of some calls. */
export function suiteHost(options: ShellHostOptions = {}): ShellHost {
  const host = new ShellHost({ isolation: 'shared', ...options })
  afterAll(() => within(60, host.close()))
  return host
}

/** A host of workers that fail on demand. */
export function faultyHost(options: ShellHostOptions = {}, atEnd?: AtEnd): ShellHost {
  return makeHost({ workerUrl: faultyWorker, ...options }, atEnd)
}

/** A sandbox on a host of its own whose workers fail on demand. */
export function faultySandbox(
  config: StrandsShellConfig = {},
  atEnd?: AtEnd,
): { sandbox: StrandsShellSandbox; host: ShellHost } {
  const host = faultyHost({}, atEnd)
  return { host, sandbox: new StrandsShellSandbox(config, { host }) }
}

/** The same, and whether the fault of a command has begun: the native call is then in flight. */
export function markedSandbox(config: StrandsShellConfig = {}): {
  sandbox: StrandsShellSandbox
  host: ShellHost
  /** The fault that began last, once one has. */
  begun: () => string | undefined
} {
  const directory = mkdtempSync(join(tmpdir(), 'fault-marker-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const marker = join(directory, 'begun')
  const begun = () => (existsSync(marker) ? readFileSync(marker, 'utf8') : undefined)
  return { begun, ...faultySandbox({ ...config, env: { ...config.env, FAULT_MARKER: marker } }) }
}

/** A config that fails at open. */
export function failingOpen(fault: OpenFault): StrandsShellConfig {
  return { env: { FAULT_OPEN: fault } }
}

/** What is told of a rejected call. */
export interface Failure {
  readonly name: string
  readonly code: string
  /** The code of the cause, of a lost session. */
  readonly cause?: string
}

/** How a call ended: its value, or what is told of its error. Fails on an error that is not of this package. */
export async function endOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value) => value,
    (error: unknown) => failureOf(error),
  )
}

/** Class, code and cause of an error of this package. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof SandboxError)) throw error
  const { name, code, cause } = error
  return cause instanceof SessionLoss ? { name, code, cause: cause.code } : { name, code }
}

/** A lost session, as {@link endOf} tells it. */
export function lost(cause: string): Failure {
  return cause === 'HEAP_EXHAUSTED'
    ? { name: 'MemoryLimitError', code: 'MEMORY_LIMIT', cause }
    : { name: 'WorkerLostError', code: 'WORKER_LOST', cause }
}

export const closed: Failure = { name: 'SandboxClosedError', code: 'CLOSED' }
export const timedOut: Failure = { name: 'SandboxTimeoutError', code: 'TIMEOUT' }
export const aborted: Failure = { name: 'SandboxAbortError', code: 'ABORTED' }
export const protocol: Failure = { name: 'ProtocolError', code: 'PROTOCOL' }
export const saturated: Failure = { name: 'HostSaturatedError', code: 'HOST_SATURATED' }

/** The result of a command that prints `stdout` and succeeds. */
export function printed(stdout: string): unknown {
  return {
    ...{ type: 'executionResult', exitCode: 0, stdout, stderr: '', outputFiles: [] },
    ...{ timedOut: false, truncated: false, durationMs: expect.any(Number) },
  }
}

/** The worker threads that this process starts during the test, oldest first. */
export function watchWorkers(): Worker[] {
  const workers: Worker[] = []
  const add = (worker: Worker) => workers.push(worker)
  process.on('worker', add)
  onTestFinished(() => {
    process.off('worker', add)
  })
  return workers
}

/** The newest worker thread of a list. */
export function newest(workers: readonly Worker[]): Worker {
  const worker = workers.at(-1)
  if (worker === undefined) throw new Error('no worker was started')
  return worker
}

/** How many threads of the engine the operating system counts in this process: one a shell, and a few of its own. */
export function engineThreads(): number {
  return readdirSync('/proc/self/task').filter((id) => {
    try {
      return readFileSync(`/proc/self/task/${id}/comm`, 'utf8').startsWith('tokio')
    } catch {
      return false // It has ended meanwhile.
    }
  }).length
}

/** How many threads the operating system counts in this process. */
export function osThreads(): number {
  return readdirSync('/proc/self/task').length
}
