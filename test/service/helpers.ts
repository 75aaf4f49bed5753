import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type ServeOptions, type Service, serve } from '../../src/service/index.ts'
import { makeHost } from '../faults/helpers.ts'

export const token = 'a-token-of-these-tests'

/** A service on a host of shared workers that the test's end closes. */
export async function startService(options: Partial<ServeOptions> = {}): Promise<Service> {
  const host = options.data === undefined ? { host: makeHost({ isolation: 'shared' }) } : {}
  const service = await serve({ tokens: [{ token, name: 'tester' }], ...host, ...options })
  onTestFinished(() => service.close({ grace: 0 }))
  return service
}

/** An answer of a service. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: Readonly<Record<string, unknown>>
}

/** Sends requests to a service with a token. */
export function clientOf({ url }: Service, bearer = token) {
  return async (
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> => {
    const isBytes = body instanceof Uint8Array
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(bearer === '' ? {} : { authorization: `Bearer ${bearer}` }),
        ...(isBytes ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isBytes ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} }
  }
}

/** A directory that the test's end removes. */
export async function temporaryDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'service-'))
  onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }))
  return path
}
