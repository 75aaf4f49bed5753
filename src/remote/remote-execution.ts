import * as v from 'valibot'
import { performance } from '../async/clock.ts'
import { interruptible } from '../async/interruptible.ts'
import { chunkSchema, resultSchema } from '../protocol/execution-schemas.ts'
import { LAST_EVENT_HEADER } from '../protocol/headers.ts'
import { problemSchema } from '../protocol/problem.ts'
import { resultOfData } from '../protocol/result-json.ts'
import { EventReader, type ServerSentEvent } from '../protocol/server-sent-events.ts'
import { abortError } from '../sandbox/abort-error.ts'
import type { ResolvedCallLimits, ResolvedExecuteOptions } from '../sandbox/arguments.ts'
import { ProtocolError, type SandboxError, SandboxTimeoutError } from '../sandbox/errors.ts'
import type { ExecutionEvent, ExecutionResult } from '../sandbox/results.ts'
import { showSeconds } from '../sandbox/show-value.ts'
import { errorOfProblem } from './error-of-problem.ts'
import type { Attempts, RemoteCalls } from './remote-calls.ts'

/** Seconds that a service has to say itself that the time of a call has passed. */
const graceOfService = 1

/** What is run on a service. */
export interface RemoteRun {
  /** Of the sandbox, up to its last part. */
  readonly path: string
  readonly route: 'execute' | 'code'
  readonly what: Readonly<Record<string, string>>
  readonly options: ResolvedExecuteOptions
}

/** Runs a command or code, and gives its result. */
export async function runRemotely(calls: RemoteCalls, run: RemoteRun): Promise<ExecutionResult> {
  requireWanted(run.options)
  const { timeout, signal } = run.options
  // Without them the call is never given up.
  const stop = timeout === undefined && signal === undefined ? undefined : new AbortController()
  const call = {
    method: 'POST',
    path: `${run.path}/${run.route}`,
    ...bodyOf(run),
    signal: stop?.signal,
  } as const
  const attempts = calls.attempts(call)
  try {
    const reply = await limited(run.options, attempts.reply())
    return resultOf(reply.body.toString())
  } catch (error) {
    if (isCutShort(error, run.options)) stopRemotely(calls, run, attempts)
    stop?.abort()
    throw error
  }
}

/** The same with its output as it comes. Leaving early stops the command. */
export async function* streamRemotely(
  calls: RemoteCalls,
  run: RemoteRun,
): AsyncGenerator<ExecutionEvent, void> {
  requireWanted(run.options)
  const stop = new AbortController()
  const call = {
    method: 'POST',
    path: `${run.path}/${run.route}`,
    ...bodyOf(run),
    signal: stop.signal,
  } as const
  const attempts = calls.attempts(call)
  const events = eventsOf(attempts)
  let isOver = false
  const start = performance.now()
  try {
    for (;;) {
      const passed = (performance.now() - start) / 1000
      const step = await limited(run.options, events.next(), passed)
      if (step.done === true) throw new ProtocolError('The stream of the service has ended without a result.')
      const event = eventOf(step.value)
      isOver = event.type === 'executionResult'
      yield event
      if (isOver) return
    }
  } catch (error) {
    isOver = !isCutShort(error, run.options)
    throw error
  } finally {
    if (!isOver) stopRemotely(calls, run, attempts)
    stop.abort()
    events.return().catch(() => undefined) // Its connection was ended above.
  }
}

/** The events of a stream, whatever becomes of its connections. */
async function* eventsOf(attempts: Attempts): AsyncGenerator<ServerSentEvent, void> {
  let last = 0
  for (;;) {
    try {
      const headers = {
        accept: 'text/event-stream',
        ...(last === 0 ? {} : { [LAST_EVENT_HEADER]: String(last) }),
      }
      const response = await attempts.begin(headers)
      if ('body' in response) {
        if (await attempts.settles(response))
          throw new ProtocolError('The service has answered with no stream.')
        continue
      }
      const reader = new EventReader()
      const decoder = new TextDecoder()
      for await (const piece of attempts.read(response)) {
        for (const event of reader.read(decoder.decode(piece, { stream: true }))) {
          if (event.id !== undefined && event.id !== last + 1)
            throw new ProtocolError('Events of the stream of the service are missing.')
          last = event.id ?? last
          attempts.goesOn()
          yield event
          if (event.event !== 'output') return
        }
      }
      throw attempts.cutOff()
    } catch (error) {
      await attempts.lost(error)
    }
  }
}

function eventOf({ event, data }: ServerSentEvent): ExecutionEvent {
  const value = parsed(data)
  if (event === 'output' && v.is(chunkSchema, value)) return value
  if (event === 'result') return resultOf(data)
  if (event === 'problem' && v.is(problemSchema, value)) throw errorOfProblem(value)
  throw new ProtocolError('The service has sent an event that is none of a stream.')
}

function resultOf(json: string): ExecutionResult {
  const value = parsed(json)
  if (v.is(resultSchema, value)) return resultOfData(value)
  throw new ProtocolError('The service has answered a command with what is no result.')
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new ProtocolError('The service has answered with what is no JSON.', { cause })
  }
}

function bodyOf({ what, options: { timeout, cwd, env, secrets, stdin } }: RemoteRun) {
  const isSecret = ([, value]: readonly [string, string]) => secrets?.includes(value) === true
  const plain = env?.filter((pair) => !isSecret(pair)) ?? []
  const secret = env?.filter(isSecret) ?? []
  return {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...what,
      ...(timeout === undefined ? {} : { timeout }),
      ...(cwd === undefined ? {} : { cwd }),
      ...(plain.length === 0 ? {} : { env: Object.fromEntries(plain) }),
      ...(secret.length === 0 ? {} : { secretEnv: Object.fromEntries(secret) }),
      ...(stdin === undefined ? {} : { stdin: { base64: Buffer.from(stdin).toString('base64') } }),
    }),
  }
}

/** Makes a call that is no execution for as long as its caller waits. @throws {SandboxAbortError} @throws {SandboxTimeoutError} */
export async function withinLimits<T>(
  limits: ResolvedCallLimits,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  requireWanted(limits)
  const stop = new AbortController()
  try {
    return await limited(limits, call(stop.signal))
  } catch (error) {
    stop.abort()
    throw error
  }
}

/** @throws {SandboxAbortError} where the signal fired before anything was sent */
function requireWanted({ signal }: ResolvedCallLimits): void {
  if (signal?.aborted === true) throw abortError(signal)
}

/** Waits for a part of a call for as long as its caller does. @param passed - seconds of its time that have passed. */
function limited<T>({ timeout, signal }: ResolvedCallLimits, part: Promise<T>, passed = 0): Promise<T> {
  return interruptible(part, {
    signal,
    onAbort: () => abortError(signal),
    ...(timeout === undefined
      ? {}
      : {
          seconds: Math.max(0, timeout + graceOfService - passed),
          onTimeout: () =>
            new SandboxTimeoutError(`The call did not end within its timeout of ${showSeconds(timeout)}.`),
        }),
  })
}

function isCutShort(error: unknown, { signal }: ResolvedExecuteOptions): error is SandboxError {
  return signal?.aborted === true || error instanceof SandboxTimeoutError
}

/** Tells the service to stop what nobody waits for. Where it cannot be told, it finds that the client is gone. */
function stopRemotely(calls: RemoteCalls, { path }: RemoteRun, { key }: Attempts): void {
  calls.send({ method: 'DELETE', path: `${path}/executions/${key}`, headers: {} }).catch(() => undefined)
}
