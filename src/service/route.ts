import type { IncomingMessage, ServerResponse } from 'node:http'
import * as v from 'valibot'
import type { RequestLoad } from '../http/load.ts'
import type { Gone } from './gone.ts'
import type { Scope } from './options.ts'
import type { Principal } from './principals.ts'
import { ServiceProblem } from './service-problem.ts'

/** A schema of what requests and answers hold. */
export type Schema<Output = unknown> = v.GenericSchema<unknown, Output>

/** What a route answers with a status. */
export interface Answer {
  readonly description: string
  /** Of JSON. */
  readonly schema?: Schema
  /** Of what is no JSON. */
  readonly mediaType?: string
}

/** What a handler gives: an answer, or nothing where it has written to the response itself. */
export type Reply =
  | {
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string | Uint8Array
    }
  | undefined

/** One request, as a handler has it. */
export interface Call<Query = unknown, Body = unknown> {
  readonly principal: Principal
  /** The parts of the path by name; the `id` of a sandbox as the key that the service knows it by. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  readonly body: Body
  /** The idempotency key; undefined where there is none. */
  readonly key: string | undefined
  /** Of the whole request. */
  readonly digest: string
  /** Tells when the client is gone before it has its answer. */
  readonly gone: Gone
  /** What the request holds: an answer is counted before it is made. Undefined where no token is needed. */
  readonly load: RequestLoad | undefined
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** What its answer has besides the headers of the reply. A handler adds to them, and writes them where it writes the answer itself. */
  readonly headers: AnswerHeaders
}

/** Headers of an answer, which its parts add to: Node writes them fastest where it gets all of them at once. */
export type AnswerHeaders = Record<string, string>

/** What a request to a route looks like, and what answers it. */
interface RouteDefinition<Query, Body> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With the names of its parts in braces. */
  readonly path: string
  /** What a token must let its bearer do; `'any'`: any token will do; `'none'`: no token is needed. */
  readonly scope: Scope | 'any' | 'none'
  readonly summary: string
  readonly query?: Schema<Query>
  /** Of JSON, or `'bytes'`. */
  readonly body?: Schema<Body> | 'bytes'
  /** What the bytes are. */
  readonly bodyType?: string
  /**
   * Whether a call of a sandbox needs the process that has it, where several share it. `'claims'`: it has the process take it.
   * `'takes up'`: it has the process take one that there is. `'no'`: it tells what this process knows. Default: it does.
   */
  readonly owned?: 'claims' | 'takes up' | 'no'
  /** Whether a key gives it its effect once: `'execution'` where the handler sees to it. */
  readonly keyed?: true | 'execution'
  readonly answers: Readonly<Record<number, Answer>>
  readonly handle: (call: Call<Query, Body>) => Promise<Reply>
}

/** A route, whatever its requests hold. */
export interface Route extends Omit<RouteDefinition<unknown, unknown>, 'handle'> {
  /** @throws {ServiceProblem} for a request that is not valid */
  readonly handle: (call: Call) => Promise<Reply>
}

/** Makes a route that gets what its schemas let through. */
export function route<Query = undefined, Body = undefined>(definition: RouteDefinition<Query, Body>): Route {
  const { query, body, handle } = definition
  return {
    ...definition,
    // Field by field: a spread of an object with so many takes several times as long.
    handle: (call) =>
      handle({
        principal: call.principal,
        params: call.params,
        query: query === undefined ? (undefined as Query) : checked(query, call.query, 'query'),
        body: body === undefined || body === 'bytes' ? (call.body as Body) : checked(body, call.body, 'body'),
        key: call.key,
        digest: call.digest,
        gone: call.gone,
        load: call.load,
        request: call.request,
        response: call.response,
        headers: call.headers,
      }),
  }
}

/** An answer of JSON. */
export function json(value: unknown, status = 200): Reply {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) }
}

/** An answer without content. */
export const done: Reply = { status: 204 }

/** @throws {ServiceProblem} naming the field that is not valid, and never a value */
function checked<Output>(schema: Schema<Output>, value: unknown, where: string): Output {
  // A schema of an object without required fields takes an array, too.
  if (Array.isArray(value))
    throw new ServiceProblem('INVALID_REQUEST', `The ${where} must be an object.`, { field: where })
  const { success, output, issues } = v.safeParse(schema, value, { abortEarly: true })
  if (success) return output
  const [issue] = issues
  const path = v.getDotPath(issue)
  const expected = issue.expected ?? 'something else'
  const message =
    expected === 'never'
      ? `The ${where} has the unknown field ${path ?? ''}.`
      : `${path === null ? `The ${where}` : path} must be ${expected}.`
  throw new ServiceProblem('INVALID_REQUEST', message, { field: path ?? where })
}
