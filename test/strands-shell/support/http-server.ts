import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'

/** What reached a test server. */
interface Seen {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly authorization: string | undefined
  readonly body: string
}

/** A server on 127.0.0.1 that ends with the test. */
export interface TestServer {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  readonly seen: readonly Seen[]
}

/** Starts a server that answers `hello PATH`, or what `answer` makes of it. */
export async function startServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void = (request, response) => {
    response.end(`hello ${request.url}\n`)
  },
): Promise<TestServer> {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method, url, headers } = request
    seen.push({ method, url, authorization: headers.authorization, body: Buffer.concat(chunks).toString() })
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  return { origin: `http://127.0.0.1:${address.port}`, seen }
}
