import type { ErrorCode } from '../contract/errors.ts'
import type { SandboxSummary } from '../hosted-sandbox/summary.ts'
import {
  SandboxConnectionError,
  SandboxError,
  SandboxPermissionError,
  WorkerLostError,
} from '../sandbox/errors.ts'
import { isError } from '../sandbox/kinds.ts'
import { guideOf } from './shells/guide.ts'
import { ToolFailure } from './tool-failure.ts'

/** A failure as a model reads it. */
export interface FailureText {
  /** The error's own code; `ERROR` where it has none. */
  readonly code: string
  readonly message: string
}

/** What failed, and what to do about it. Never a stack, and no more of an error's `cause` than its message tells. */
export function failureOf(error: unknown, summary?: SandboxSummary): FailureText {
  if (error instanceof ToolFailure) return { code: error.code, message: error.message }
  if (!isError(error)) return { code: 'ERROR', message: `The sandbox failed: ${String(error)}` }
  if (!(error instanceof SandboxError))
    return { code: 'ERROR', message: `The sandbox failed: ${error.message}` }
  const advice = adviceOn[error.code](error, summary)
  return { code: error.code, message: sentences(`${error.code}: ${error.message}`, advice) }
}

function sentences(first: string, second: string): string {
  if (second === '') return first
  return `${/[.!?]$/.test(first) ? first : `${first}.`} ${second}`
}

const nothing = () => ''
const noneWorks = 'No tool of this sandbox will work any more: say so.'

const adviceOn: Record<ErrorCode, (error: SandboxError, summary: SandboxSummary | undefined) => string> = {
  TIMEOUT: (_error, summary) => `${afterInterrupt(summary)}Do less in one call, or give it a longer timeout.`,
  ABORTED: (_error, summary) => afterInterrupt(summary),
  PATH_NOT_FOUND: () => 'List the directory above it to see what is there.',
  PERMISSION_DENIED: (error, summary) => permissionAdvice(error, summary),
  LIMIT_EXCEEDED: () => 'Work in smaller pieces.',
  IO_ERROR: () => '',
  MIRROR_FAILED: () => 'Do not run the command again for this.',
  INVALID_CONFIG: nothing,
  CLOSED: () => noneWorks,
  WORKER_LOST: (error, summary) => (isOfHostClosed(error) ? noneWorks : afterLoss(summary)),
  MEMORY_LIMIT: (_error, summary) => `${afterLoss(summary)} Use less memory at once.`,
  HOST_SATURATED: () => 'Nothing was run. Try again in a while.',
  UNSUPPORTED: () => 'Find another way.',
  ENGINE_UNAVAILABLE: () => 'No tool of this sandbox will work on this machine: say so.',
  PROTOCOL: () => 'What the call did is not known: look before you repeat it.',
  CONNECTION_FAILED: (error) => connectionAdvice(error),
  INVALID_SNAPSHOT: () => 'Nothing of the snapshot was taken over.',
  STALE_FENCE: () => 'Another process goes on with this session: say so.',
  CLUSTER_UNAVAILABLE: () => 'Nothing has run. Try once more; if it fails again, say so.',
}

function afterInterrupt(summary: SandboxSummary | undefined): string {
  if (summary === undefined) return ''
  if (summary.onInterrupt === 'restore') return 'The session is as it was before this call. '
  if (summary.onInterrupt === 'reset') return `${goneWithSession} The next call starts a fresh session. `
  return `${guideOf(summary)?.afterInterrupt ?? ''} `
}

const goneWithSession =
  'Everything that was only in the sandbox is gone: files outside directories shared with the host, variables, the working directory.'

function isOfHostClosed(error: SandboxError): boolean {
  return error instanceof WorkerLostError && error.cause.code === 'HOST_CLOSED'
}

function afterLoss(summary: SandboxSummary | undefined): string {
  if (summary?.onLost === 'restore')
    return 'The next call goes on with the files and variables that were kept last: look at what is there, and do not repeat what was just run.'
  const next =
    summary?.onLost === 'fail'
      ? 'This sandbox takes no more calls: say so.'
      : 'The next call starts a fresh session: make again what you need, and do not repeat what was just run.'
  return `${goneWithSession} ${next}`
}

function permissionAdvice(error: SandboxError, summary: SandboxSummary | undefined): string {
  if (!(error instanceof SandboxPermissionError) || summary === undefined) return ''
  return guideOf(summary)?.permissionAdvice(summary) ?? ''
}

function connectionAdvice(error: SandboxError): string {
  if (!(error instanceof SandboxConnectionError)) return ''
  return error.started
    ? 'The command had begun: see what it did before you repeat it.'
    : 'Nothing was run: it can be tried again.'
}
