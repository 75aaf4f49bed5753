import { createServer, type IncomingMessage, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Violation } from './violation.ts'

/** Two servers of this machine that sandboxes may reach, and that look who sends which credential. */
export interface Origins {
  /** `/NAME/TEXT` answers with TEXT, and must come with the token of NAME: `http://127.0.0.1:PORT`. */
  readonly private: string
  /** The same, and must come without a token; `/slow/SECONDS` answers after that time. */
  readonly public: string
  close(): Promise<void>
}

/** The token of the credential of a sandbox. */
export function tokenOf(name: string): string {
  return `token-of-${name}-1234567890`
}

/** `onViolation` is told of a request whose credential is not the one that belongs there. */
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
