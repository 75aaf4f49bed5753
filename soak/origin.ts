import { createServer, type IncomingMessage, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Violation } from './violation.ts'

/** Two local HTTP servers that sandboxes may reach. They check the credential of each request. */
export interface Origins {
  /** `http://127.0.0.1:PORT`. `/NAME/TEXT` answers with TEXT; the request must carry the token of NAME. */
  readonly private: string
  /** The same without a token. `/slow/SECONDS` answers after that time. */
  readonly public: string
  close(): Promise<void>
}

/** The token of the credential of an actor. */
export function tokenOf(name: string): string {
  return `token-of-${name}-1234567890`
}

/** Starts both servers. `onViolation` is called for a request with the wrong credential. */
export async function startOrigins(onViolation: (violation: Violation) => void): Promise<Origins> {
  const start = (wanted: (name: string) => string | undefined) =>
    listen(async ({ method, url = '', headers: { authorization } }) => {
      const [, name = '', text = ''] = url.split('/')
      if (authorization !== wanted(name)) {
        onViolation(
          new Violation(`${method} ${url} came with ${authorization}, and should with ${wanted(name)}`),
        )
      }
      if (name === 'slow') await sleep(Number(text) * 1000, undefined, { ref: false })
      return text
    })
  const [secret, open] = await Promise.all([
    start((name) => `Bearer ${tokenOf(name)}`),
    start(() => undefined),
  ])
  return {
    private: urlOf(secret),
    public: urlOf(open),
    close: async () => {
      await Promise.all([close(secret), close(open)])
    },
  }
}

async function listen(answer: (request: IncomingMessage) => Promise<string>): Promise<Server> {
  const server = createServer(async (request, response) => {
    response.end(await answer(request))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

function urlOf(server: Server): string {
  const bound = server.address()
  if (typeof bound !== 'object' || bound === null) throw new Error('The server has no port.')
  return `http://127.0.0.1:${bound.port}`
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
