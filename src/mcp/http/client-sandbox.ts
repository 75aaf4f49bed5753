import type { RequestId } from '@modelcontextprotocol/sdk/types.js'
import { interruptible } from '../../async/interruptible.ts'
import type { EngineName } from '../../contract/lease.ts'
import { SandboxConfigError } from '../../sandbox/errors.ts'
import { errorMessage } from '../../sandbox/kinds.ts'
import { kindOf } from '../../sandbox/show-value.ts'
import type { SandboxConfig } from '../../shell-host/sandbox-config.ts'
import type { ShellHost } from '../../shell-host/shell-host.ts'
import { lastVisit } from '../before-close.ts'
import { createSession, type McpSession } from '../create-server.ts'
import type { McpServerOptions } from '../options.ts'
import { requireEngine } from '../require-engine.ts'
import type { HttpHandlerOptions, McpClientSession, SandboxOfClient } from './options.ts'
import { RpcRefusal } from './refusal.ts'

/** Seconds that a function of the caller has to say which sandbox a client gets. */
const configTime = 20
/** The code of JSON-RPC for what is the server's fault. */
const internalError = -32_603

/** What the sandboxes of clients are made of. */
interface ClientSandboxesOptions extends Pick<HttpHandlerOptions, 'sandbox' | 'beforeClose' | 'log'> {
  readonly host: ShellHost<EngineName>
  /** Of their servers. */
  readonly session: McpServerOptions
  /** Whether they are stored. */
  readonly isKept: boolean
}

/** A session whose sandbox is made. */
export interface NewSession extends Omit<McpClientSession, 'signal'> {
  /** What its sandbox is stored under; undefined where it is not. */
  readonly storedAs: string | undefined
}

/** Makes the servers of clients, with the sandbox of each. */
export class ClientSandboxes {
  readonly #options: ClientSandboxesOptions

  constructor(options: ClientSandboxesOptions) {
    this.#options = options
  }

  /**
   * Tells now what is not valid, and not to the first client; finds the engines that sessions may need.
   *
   * @throws {SandboxConfigError} naming the option or the field of the config that is not valid
   * @throws {UnsupportedError} where sandboxes of the config cannot be stored, and are to be
   * @throws {EngineUnavailableError} where the engine is not there; of a function's configs, where none is
   */
  async check(): Promise<void> {
    const { sandbox: config, isKept } = this.#options
    const isAsked = typeof config === 'function'
    const trial = { name: 'check', client: undefined, storedAs: 'check' }
    const { sandbox } = isAsked ? this.#create({}) : this.#create(config, isKept ? trial : undefined)
    await sandbox.close()
    if (!isAsked) return requireEngine(sandbox.current.shell)
    await Promise.any([requireEngine('strands'), requireEngine('bash')]).catch((error: AggregateError) => {
      throw error.errors[0]
    })
  }

  /** Makes the server of one session. @param closing - gives up asking for a config */
  async make({ storedAs, ...session }: NewSession, closing: AbortSignal): Promise<McpSession> {
    const { sandbox } = this.#options
    const named = { ...session, storedAs }
    if (typeof sandbox !== 'function') return this.#create(sandbox, named)
    const made = this.#create(await configOf(sandbox, session, closing), named)
    await requireEngine(made.sandbox.current.shell)
    return made
  }

  #create(sandbox: SandboxConfig | undefined, named?: Omit<NewSession, 'id'>): McpSession {
    const { host, session, beforeClose, log } = this.#options
    const visit = named && lastVisit(beforeClose, { ...named, log })
    return createSession(
      host,
      { ...session, sandbox },
      { beforeClose: visit, storedAs: named?.storedAs, log },
    )
  }
}

/** What a client reads that gets no sandbox: no value of a config, and nothing of a function's error. */
export function withoutSandbox(error: unknown, id: RequestId | undefined): RpcRefusal {
  const reason =
    error instanceof SandboxConfigError && error.field !== undefined
      ? `the server's config of it is not valid (${error.field})`
      : 'the server could not make one'
  // With another status clients would not read the message as one of the protocol.
  return new RpcRefusal(
    200,
    `There is no sandbox for this client: ${reason}. Who runs the server finds more in its log.`,
    {
      code: internalError,
      id,
    },
  )
}

/** The same for the log. */
export function whyWithoutSandbox(error: unknown): string {
  return errorMessage(error).split('\n', 1).join('')
}

async function configOf(
  ask: SandboxOfClient,
  session: Omit<McpClientSession, 'signal'>,
  closing: AbortSignal,
): Promise<SandboxConfig> {
  const given = new AbortController()
  const late = new Error(`The function \`sandbox\` has given no config in ${configTime} seconds.`)
  try {
    const config = await interruptible(Promise.resolve(ask({ ...session, signal: given.signal })), {
      seconds: configTime,
      onTimeout: () => late,
      signal: closing,
      onAbort: () => new Error('The server closes.'),
    })
    if (typeof config === 'object' && config !== null) return config
    throw new TypeError(`The function \`sandbox\` must give a config, but gave ${kindOf(config)}.`)
  } finally {
    given.abort(late)
  }
}
