import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js'
import { clearInterval, setInterval } from '../async/clock.ts'

/** What comes with a request: its signal, and the way back to who made it. */
export type RequestContext = RequestHandlerExtra<ServerRequest, ServerNotification>

/** Milliseconds. */
const interval = 1000

/** Does a piece of work and tells once a second that it runs, where the request asks for progress. */
export async function withProgress<T>(
  { _meta, sendNotification }: RequestContext,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return work()
  let seconds = 0
  const timer = setInterval(() => {
    seconds += 1
    const params = { progressToken, progress: seconds, message: `${name}: running for ${seconds} s` }
    // Where it cannot be sent the client is gone, and its request is ended by other means.
    sendNotification({ method: 'notifications/progress', params }).catch(() => clearInterval(timer))
  }, interval)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
