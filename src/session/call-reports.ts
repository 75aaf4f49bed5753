import { performance } from '../async/clock.ts'
import type { ErrorCode } from '../contract/errors.ts'
import type { CommandOutput, ConflictData } from '../contract/shell-api.ts'
import {
  type CommandEventData,
  type FileEventData,
  namesOf,
  type PolicyEventData,
  type SandboxEventMap,
  type SandboxNames,
} from '../host/event-data.ts'
import type { EventAbout, EventReporter } from '../host/event-reporter.ts'
import { SandboxError } from '../sandbox/errors.ts'
import { isError } from '../sandbox/kinds.ts'
import { showValue } from '../sandbox/show-value.ts'
import type { CallLimits } from './call-limits.ts'
import type { CallSubject, CommandSubject, CommandsSubject, FileSubject } from './call-subject.ts'
import { toConflict } from './change-reports.ts'
import type { CheckedEgressSignal } from './egress-signal-schema.ts'
import type { Operation } from './operations.ts'
import type { Secrets } from './secrets.ts'

/** Characters of a text in an event, at most. */
const longestText = 4096

/** How a call has ended: with a value, or with an error. */
export type CallEnd<T> = { readonly value: T } | { readonly error: unknown }

/** What is known of a call before it has ended. */
export interface CallBegin {
  /** When it was made, by the clock of `performance`. */
  readonly start: number
  readonly secrets: CallLimits['secrets']
  /** Of the session that it was sent to; undefined before that. */
  generation: number | undefined
  /** Whether a policy has denied it. */
  denied: boolean
}

/** Sends a call, and notes in which session it runs. */
export type MakeCall<T> = (operation: Operation<T>, limits: CallLimits, begin: CallBegin) => Promise<T>

/** Tells what the calls of one sandbox were, and how they have ended. */
export class CallReports {
  readonly #events: EventReporter
  readonly #secrets: Secrets

  constructor(events: EventReporter, secrets: Secrets) {
    this.#events = events
    this.#secrets = secrets
  }

  /** A call has ended. */
  ended<T>(operation: Operation<T>, begin: CallBegin, end: CallEnd<T>): void {
    const { subject } = operation
    if (subject?.kind === 'file') this.#file(subject, operation, begin, end)
    else if (subject !== undefined) this.#commands(subject, operation, begin, end)
    if (begin.secrets !== undefined) this.#secrets.ends(begin.secrets)
  }

  /** A policy has not just allowed a call. */
  decided(
    subject: CallSubject,
    verdict: PolicyEventData['verdict'],
    { reason, cause }: { readonly reason?: string; readonly cause?: unknown } = {},
  ): void {
    this.#events.report('policy', (about) => {
      const { call, subject: text } = askedOf(subject)
      const shown = (given: string | undefined) => (given === undefined ? undefined : this.#shown(given))
      const failure = shown(cause === undefined ? undefined : thrownText(cause))
      return { ...about, verdict, call, subject: this.#shown(text), reason: shown(reason), failure }
    })
  }

  /** A path was changed on both sides. */
  conflict(conflict: ConflictData): void {
    this.#events.report('conflict', (about) => {
      const { path, hostPath, kept } = toConflict(conflict)
      return {
        ...about,
        path: this.#shown(path),
        hostPath: this.#shown(hostPath),
        ...(kept === undefined ? {} : { kept: this.#shown(kept) }),
      }
    })
  }

  /** The shell has told of a request to the network. */
  egress(signal: CheckedEgressSignal, cell: string | undefined): void {
    if (signal.kind === 'egress') {
      const { allowed, address, reason } = signal
      this.#events.report('egress', (about) => ({
        ...about,
        ...this.#requestOf(about, signal, cell),
        allowed,
        ...(address === undefined ? {} : { address }),
        ...(reason === undefined ? {} : { reason }),
      }))
      return
    }
    const { status, sent, received, duration, reason } = signal
    this.#events.report('egressEnd', (about) => ({
      ...about,
      ...this.#requestOf(about, signal, cell),
      sent,
      received,
      duration,
      ...(status === undefined ? {} : { status }),
      ...(reason === undefined ? {} : { reason }),
    }))
  }

  #requestOf(about: SandboxNames, { method, url }: CheckedEgressSignal, cell: string | undefined) {
    return {
      cell,
      method: this.#secrets.hideInRequest(method),
      url: this.#secrets.hideInRequest(url).slice(0, longestText),
      candidates: Object.freeze([namesOf(about)]),
    }
  }

  /** A text as events tell it. */
  #shown(text: string): string {
    return this.#secrets.hide(text, longestText)
  }

  #commands<T>(
    subject: CommandSubject | CommandsSubject,
    { outputs }: Operation<T>,
    begin: CallBegin,
    end: CallEnd<T>,
  ): void {
    const elapsed = performance.now() - begin.start
    const texts = subject.kind === 'commands' ? subject.texts : [subject.text]
    const given = 'value' in end ? (outputs?.(end.value) ?? []) : []
    const error = 'value' in end ? undefined : codeOf(end.error)
    // Of a call that was rejected nobody knows which of its commands had run. Those that a value lacks have not.
    const told = error === undefined ? texts.slice(0, given.length) : texts
    let later = given.reduce((sum, { durationMs }) => sum + durationMs, 0)
    let waitedMs = error === undefined ? Math.max(0, elapsed - later) : 0
    for (const [index, text] of told.entries()) {
      const output = given[index]
      const durationMs = output?.durationMs ?? elapsed
      later -= output?.durationMs ?? 0
      const ended = { error, durationMs, waitedMs, endedMs: Math.max(0, later), denied: begin.denied }
      this.#events.report(
        'command',
        (about) => this.#commandOf(about, subject, text, output, ended),
        begin.generation,
      )
      // The others have waited for those before alone.
      waitedMs = 0
    }
  }

  /** Spread syntax takes 60 times as long for so many fields. */
  #commandOf(
    about: EventAbout<'command'>,
    subject: CommandSubject | CommandsSubject,
    text: string,
    output: CommandOutput | undefined,
    ended: Pick<CommandEventData, 'error' | 'durationMs' | 'waitedMs' | 'endedMs' | 'denied'>,
  ): SandboxEventMap['command'] {
    const changed = output?.changed ?? []
    return {
      kind: about.kind,
      time: about.time,
      id: about.id,
      sandbox: about.sandbox,
      labels: about.labels,
      isolation: about.isolation,
      shell: about.shell,
      generation: about.generation,
      sequence: about.sequence,
      command: this.#shown(text),
      length: text.length,
      language: subject.kind === 'code' ? subject.language : undefined,
      exitCode: output?.exitCode,
      timedOut: output?.timedOut ?? false,
      truncated: output?.truncated ? Object.freeze({ ...output.truncated }) : false,
      stdoutBytes: Buffer.byteLength(output?.stdout ?? ''),
      stderrBytes: Buffer.byteLength(output?.stderr ?? ''),
      changed: Object.freeze(changed.map((path) => this.#shown(path))),
      error: ended.error,
      durationMs: ended.durationMs,
      waitedMs: ended.waitedMs,
      endedMs: ended.endedMs,
      denied: ended.denied,
    }
  }

  #file<T>(subject: FileSubject, operation: Operation<T>, begin: CallBegin, end: CallEnd<T>): void {
    const elapsed = performance.now() - begin.start
    this.#events.report(
      'file',
      (about) => Object.assign(about, this.#fileOf(subject, operation, begin, end), { durationMs: elapsed }),
      begin.generation,
    )
  }

  #fileOf<T>(
    { operation, path, to, bytes }: FileSubject,
    { bytesOf }: Operation<T>,
    { denied }: CallBegin,
    end: CallEnd<T>,
  ): Omit<FileEventData, 'durationMs'> {
    const isDone = 'value' in end
    return {
      operation,
      path: this.#shown(path),
      to: to === undefined ? undefined : this.#shown(to),
      bytes: isDone ? (bytesOf?.(end.value) ?? bytes) : undefined,
      error: isDone ? undefined : codeOf(end.error),
      denied,
    }
  }
}

/** What a policy was asked about, as its event names it. */
function askedOf(subject: CallSubject): Pick<PolicyEventData, 'call' | 'subject'> {
  switch (subject.kind) {
    case 'file':
      return { call: subject.operation, subject: subject.path }
    case 'commands':
      return { call: 'command', subject: subject.texts.join('\n') }
    default:
      return { call: subject.kind, subject: subject.text }
  }
}

/** What a policy has thrown, as a text. */
function thrownText(cause: unknown): string {
  return isError(cause) ? `${cause.name}: ${cause.message}` : showValue(cause)
}

function codeOf(error: unknown): ErrorCode | 'UNKNOWN' {
  return error instanceof SandboxError ? error.code : 'UNKNOWN'
}
