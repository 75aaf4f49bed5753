import { interruptible } from '../async/interruptible.ts'
import type { HostedSandbox } from '../hosted-sandbox/hosted-sandbox.ts'
import { errorMessage } from '../sandbox/kinds.ts'
import { type McpSandbox, NamedSandbox } from './mcp-sandbox.ts'

/** What is done with a sandbox before it is closed. */
export type BeforeClose = (sandbox: McpSandbox) => void | Promise<void>

/** Seconds that it may take. */
const mostTime = 30

/** Whose sandbox it is, and who is told where something fails. */
interface Owner {
  readonly name: string
  readonly client: string | undefined
  readonly log: ((line: string) => void) | undefined
}

/** Calls a function of the caller with a sandbox that is about to be closed; it neither rejects nor goes on for ever. */
export function lastVisit(
  beforeClose: BeforeClose | undefined,
  { name, client, log }: Owner,
): ((sandbox: HostedSandbox) => Promise<void>) | undefined {
  if (beforeClose === undefined) return undefined
  return async (sandbox) => {
    const named = new NamedSandbox(name, client, { current: sandbox, visit: (work) => work(sandbox) })
    const visit = async () => beforeClose(named)
    try {
      await interruptible(visit(), {
        seconds: mostTime,
        onTimeout: () => new Error(`It has not ended in ${mostTime} seconds.`),
      })
    } catch (error) {
      log?.(`beforeClose failed for ${name}: ${errorMessage(error).split('\n', 1).join('')}`)
    }
  }
}
