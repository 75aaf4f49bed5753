import * as v from 'valibot'
import {
  codeSchema,
  commandSchema,
  type ExecutionData,
  executionSchema,
  resultSchema,
} from '../../protocol/execution-schemas.ts'
import { LAST_EVENT_HEADER } from '../../protocol/headers.ts'
import { encodeEvent } from '../../protocol/server-sent-events.ts'
import { quote } from '../../sandbox/show-value.ts'
import { type EventSource, writeEvents } from '../event-writer.ts'
import type { Execution } from '../execution.ts'
import type { ExecutionRequest } from '../executions.ts'
import { type Call, done, json, type Reply, type Route, route } from '../route.ts'
import type { ServiceParts } from '../service-parts.ts'
import { ServiceProblem } from '../service-problem.ts'
import { idOfKey } from '../tenant-ids.ts'

const answers = {
  200: {
    description:
      'The result, whatever the exit code. With Accept: text/event-stream a stream of output events, then one of result or problem; its ids count them, and Last-Event-ID goes on behind one.',
    schema: resultSchema,
  },
}

/** Characters that are written to a stream at once. */
const mostAtOnce = 65_536

/** Running commands and code, and what was run. */
export function executionRoutes({ executions, sandboxes, timeline }: ServiceParts): readonly Route[] {
  const execute = async (call: Call<undefined, ExecutionRequest['body']>): Promise<Reply> => {
    const isStream = /\btext\/event-stream\b/.test(call.request.headers.accept ?? '')
    const { principal, body, key, digest } = call
    const request = { principal, body, key, digest, id: idOf(call), isStream }
    const last = isStream ? lastEventOf(call) : undefined
    const execution = await executions.begin(request)
    const ended = executions.attend(execution, request, call.gone)
    call.headers['strands-execution'] = execution.id
    if (isStream) {
      const { headers, gone } = call
      await writeEvents(call.response, new ExecutionSource(execution, last), { headers, gone: gone.signal })
      return undefined
    }
    await ended
    const answer = execution.events.at(-1)?.data ?? ''
    const { problem } = execution.outcome ?? {}
    return problem === undefined
      ? { status: 200, headers: { 'content-type': 'application/json' }, body: answer }
      : { status: problem.status, headers: { 'content-type': 'application/problem+json' }, body: answer }
  }
  return [
    route({
      method: 'POST',
      path: '/v1/sandboxes/{id}/execute',
      scope: 'operate',
      summary: 'Runs a command',
      body: commandSchema,
      keyed: 'execution',
      answers,
      handle: execute,
    }),
    route({
      method: 'POST',
      path: '/v1/sandboxes/{id}/code',
      scope: 'operate',
      summary: 'Runs code',
      body: codeSchema,
      keyed: 'execution',
      answers,
      handle: execute,
    }),
    route({
      method: 'GET',
      path: '/v1/sandboxes/{id}/executions',
      scope: 'read',
      summary: 'The last 100 executions, the oldest first',
      answers: {
        200: { description: 'Executions.', schema: v.object({ executions: v.array(executionSchema) }) },
      },
      handle: async (call) => {
        await sandboxes.get(call.principal, idOf(call))
        return json({ executions: timeline.of(idOf(call)).map((one) => shownTo(call, one)) })
      },
    }),
    route({
      method: 'GET',
      path: '/v1/sandboxes/{id}/executions/{execution}',
      scope: 'read',
      summary: 'One of the last executions',
      answers: { 200: { description: 'The execution.', schema: executionSchema } },
      handle: async (call) => {
        await sandboxes.get(call.principal, idOf(call))
        const { execution = '' } = call.params
        const found =
          executions.runningIn(idOf(call)).find(({ id }) => id === execution)?.data ??
          timeline.get(idOf(call), execution)
        if (found !== undefined) return json(shownTo(call, found))
        throw new ServiceProblem('NOT_FOUND', `There is no execution ${quote(execution)} any more.`)
      },
    }),
    route({
      method: 'DELETE',
      path: '/v1/sandboxes/{id}/executions/{execution}',
      scope: 'operate',
      summary: 'Stops an execution, by its id or its idempotency key',
      answers: {
        202: {
          description: 'There is none. One that comes with this key within resumeTime is stopped.',
        },
        204: { description: 'It is told to stop; its call ends with the problem ABORTED.' },
      },
      handle: async (call) => {
        await sandboxes.get(call.principal, idOf(call))
        const { execution = '' } = call.params
        const found = executions.stop(call.principal, idOf(call), execution)
        if (found === 'running') return done
        if (found === 'unknown') return { status: 202 }
        throw new ServiceProblem('NOT_FOUND', `The execution ${quote(execution)} has ended.`)
      },
    }),
  ]
}

/** An execution with the id that a principal calls its sandbox. */
function shownTo({ principal: { tenant } }: Call, execution: ExecutionData): ExecutionData {
  return { ...execution, sandbox: idOfKey(tenant, execution.sandbox) }
}

/** The key of the sandbox in the path. */
export function idOf({ params }: Pick<Call, 'params'>): string {
  return params['id'] ?? ''
}

/** The number of the last event that the client has. */
export function lastEventOf({ request }: Pick<Call, 'request'>): number | undefined {
  const given = request.headers[LAST_EVENT_HEADER]
  if (given === undefined) return undefined
  const number = Number(given)
  if (Number.isSafeInteger(number) && number >= 0) return number
  throw new ServiceProblem('INVALID_REQUEST', 'Last-Event-ID must be the id of an event of this stream.', {
    field: 'Last-Event-ID',
  })
}

/** The stream of an execution, from behind one of its events. */
class ExecutionSource implements EventSource {
  readonly #execution: Execution
  #sent: number

  constructor(execution: Execution, sent = 0) {
    this.#execution = execution
    this.#sent = sent
  }

  get isOver(): boolean {
    return this.#execution.outcome !== undefined && this.#sent >= this.#execution.events.length
  }

  next(): string | undefined {
    const { events } = this.#execution
    let text = ''
    while (this.#sent < events.length && text.length < mostAtOnce) {
      const event = events[this.#sent]
      this.#sent += 1
      if (event !== undefined) text += encodeEvent({ id: this.#sent, ...event })
    }
    return text === '' ? undefined : text
  }

  watch(tell: () => void): () => void {
    return this.#execution.watch(tell)
  }
}
