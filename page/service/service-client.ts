import type { ExecutionData } from '../../src/protocol/execution-schemas.ts'
import type { ProblemData } from '../../src/protocol/problem.ts'
import type { SandboxData } from '../../src/protocol/sandbox-schemas.ts'
import type { AppliedData, ChangesData, SelfData, StatsData } from './service-data.ts'

/** Milliseconds that a request may take which is no stream. */
const requestTime = 60_000
/** Sandboxes of one page of the list: the most that the service gives. */
const pageSize = 1000

/** What the service refused, or that it was not reached. */
export class ServiceError extends Error {
  override name = 'ServiceError'
  /** The code of the problem; `'UNREACHABLE'` where no answer came. */
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Sends requests to the service that the page comes from, with a token. */
export class ServiceClient {
  readonly token: string

  constructor(token: string) {
    this.token = token
  }

  self(): Promise<SelfData> {
    return this.#json('GET', '/v1/self')
  }

  stats(): Promise<StatsData> {
    return this.#json('GET', '/v1/stats')
  }

  /** Every sandbox of the token. */
  async sandboxes(): Promise<readonly SandboxData[]> {
    const all: SandboxData[] = []
    let after: string | undefined = ''
    while (after !== undefined) {
      const path = `/v1/sandboxes?limit=${pageSize}&after=${encodeURIComponent(after)}`
      const page: { readonly sandboxes: readonly SandboxData[]; readonly next?: string } = await this.#json(
        'GET',
        path,
      )
      all.push(...page.sandboxes)
      after = page.next
    }
    return all
  }

  sandbox(id: string): Promise<SandboxData> {
    return this.#json('GET', sandboxPath(id))
  }

  /** Opens a sandbox. @param id - the service makes one where it is empty */
  open(template: string, id: string): Promise<SandboxData> {
    return this.#json('POST', '/v1/sandboxes', { template, ...(id === '' ? {} : { id }) })
  }

  async close(id: string): Promise<void> {
    await this.send('DELETE', sandboxPath(id))
  }

  async executions(id: string): Promise<readonly ExecutionData[]> {
    const answer: { readonly executions: readonly ExecutionData[] } = await this.#json(
      'GET',
      `${sandboxPath(id)}/executions`,
    )
    return answer.executions
  }

  async stop(id: string, execution: string): Promise<void> {
    await this.send('DELETE', `${sandboxPath(id)}/executions/${encodeURIComponent(execution)}`)
  }

  changes(id: string): Promise<ChangesData> {
    return this.#json('GET', `${sandboxPath(id)}/changes`)
  }

  apply(id: string, bind: string, paths: readonly string[]): Promise<AppliedData> {
    return this.#json('POST', `${sandboxPath(id)}/apply`, { bind, paths })
  }

  /** Bytes of a file in a sandbox. */
  async size(id: string, path: string): Promise<number> {
    const { size }: { readonly size: number } = await this.#json('GET', filePath(id, 'stat', path))
    return size
  }

  /** The text of a file. @param of - `file`: as the sandbox has it; `original`: as it is without the sandbox's changes */
  async text(id: string, of: 'file' | 'original', path: string): Promise<string> {
    return (await this.send('GET', filePath(id, of, path))).text()
  }

  /** The answer to a request. @throws {ServiceError} for an answer that is a problem, and for none */
  async send(
    method: string,
    path: string,
    { body, headers = {}, signal }: RequestParts = {},
  ): Promise<Response> {
    const response = await fetch(path, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      cache: 'no-store',
      signal: signal ?? AbortSignal.timeout(requestTime),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw new ServiceError('UNREACHABLE', `The service does not answer: ${String(error)}`)
    })
    if (!response.ok) throw await problemIn(response)
    return response
  }

  async #json<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.send(method, path, { body })
    return response.json()
  }
}

/** What a request has besides its method and path. */
interface RequestParts {
  /** What is sent as JSON; nothing where it is undefined. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Without it the request has a minute. */
  readonly signal?: AbortSignal
}

/** The path of a sandbox of the service. */
export function sandboxPath(id: string): string {
  return `/v1/sandboxes/${encodeURIComponent(id)}`
}

function filePath(id: string, what: string, path: string): string {
  return `${sandboxPath(id)}/${what}?path=${encodeURIComponent(path)}`
}

async function problemIn(response: Response): Promise<ServiceError> {
  if (response.headers.get('content-type') !== 'application/problem+json')
    return new ServiceError(
      'UNREACHABLE',
      `Something else than the service has answered: ${response.status}.`,
    )
  const { code, detail }: ProblemData = await response.json()
  return new ServiceError(code, detail)
}
