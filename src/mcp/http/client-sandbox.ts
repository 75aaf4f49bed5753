import type { RequestId } from '@modelcontextprotocol/sdk/types.js'
import { interruptible } from '../../async/interruptible.ts'
import type { EngineName } from '../../contract/lease.ts'
import { SandboxConfigError } from '../../sandbox/errors.ts'
import { isError } from '../../sandbox/kinds.ts'
import { kindOf } from '../../sandbox/show-value.ts'
import type { SandboxConfig } from '../../shell-host/sandbox-config.ts'
import type { ShellHost } from '../../shell-host/shell-host.ts'
import { createSession, type McpSession } from '../create-server.ts'
import type { McpServerOptions } from '../options.ts'
import { requireEngine } from '../require-engine.ts'
import type { McpClientSession, SandboxOfClient } from './options.ts'
import { Refusal } from './refusal.ts'

/** Seconds that a function of the caller has to say which sandbox a client gets. */
const configTime = 20
/** The code of JSON-RPC for what is the server's fault. */
const internalError = -32_603

/** Makes the servers of clients, with the sandbox of each. */
export class ClientSandboxes {
  readonly #host: ShellHost<EngineName>
  readonly #sandbox: SandboxConfig | SandboxOfClient | undefined
  readonly #options: McpServerOptions

  /** @param options - but for `sandbox` */
  constructor(
    host: ShellHost<EngineName>,
    sandbox: SandboxConfig | SandboxOfClient | undefined,
    options: McpServerOptions,
  ) {
    this.#host = host
    this.#sandbox = sandbox
    this.#options = options
  }

  /**
   * Tells now what is not valid, and not to the first client; finds the engines that sessions may need.
   *
   * @throws {SandboxConfigError} naming the option or the field of the config that is not valid
   * @throws {EngineUnavailableError} where the engine is not there; of a function's configs, where none is
   */
  async check(): Promise<void> {
    if (typeof this.#sandbox !== 'function') {
      const { sandbox } = this.#create(this.#sandbox)
      await sandbox.close()
      return requireEngine(sandbox.current.shell)
    }
    await this.#create({}).sandbox.close()
    await Promise.any([requireEngine('strands'), requireEngine('bash')]).catch((error: AggregateError) => {
      throw error.errors[0]
    })
  }

  /** The config of one session is the same for all, or asked for. */
  async make(session: Omit<McpClientSession, 'signal'>): Promise<McpSession> {
    if (typeof this.#sandbox !== 'function') return this.#create(this.#sandbox)
    const made = this.#create(await configOf(this.#sandbox, session))
    await requireEngine(made.sandbox.current.shell)
    return made
  }

  #create(sandbox: SandboxConfig | undefined): McpSession {
    return createSession(this.#host, { ...this.#options, sandbox })
  }
}

/** What a client reads that gets no sandbox: no value of a config, and nothing of a function's error. */
export function withoutSandbox(error: unknown, id: RequestId | undefined): Refusal {
  const reason =
    error instanceof SandboxConfigError && error.field !== undefined
      ? `the server's config of it is not valid (${error.field})`
      : 'the server could not make one'
  // With another status clients would not read the message as one of the protocol.
  return new Refusal(
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
  const text = isError(error) ? error.message : String(error)
  return text.split('\n', 1).join('')
}

async function configOf(
  ask: SandboxOfClient,
  session: Omit<McpClientSession, 'signal'>,
): Promise<SandboxConfig> {
  const given = new AbortController()
  const late = new Error(`The function \`sandbox\` has given no config in ${configTime} seconds.`)
  try {
    const config = await interruptible(Promise.resolve(ask({ ...session, signal: given.signal })), {
      seconds: configTime,
      onTimeout: () => late,
    })
    if (typeof config === 'object' && config !== null) return config
    throw new TypeError(`The function \`sandbox\` must give a config, but gave ${kindOf(config)}.`)
  } finally {
    given.abort(late)
  }
}
