import type { IncomingMessage } from 'node:http'
import type { EngineName } from '../../contract/lease.ts'
import type { SandboxConfig } from '../../shell-host/sandbox-config.ts'
import type { ShellHost } from '../../shell-host/shell-host.ts'
import type { BeforeClose } from '../before-close.ts'
import type { McpServerOptions } from '../options.ts'

/** A client's session, for what decides about its sandbox. It holds no token. */
export interface McpClientSession {
  /** The id of the session, as its requests carry it: who knows it and has the client's token can use the session. */
  readonly id: string
  /**
   * Who the client is: the name of its token, or what `authenticate` returned. Undefined where all clients share one token,
   * or need none.
   */
  readonly client: string | undefined
  /** What the server calls the sandbox: see {@link McpSandbox.name}. */
  readonly name: string
  /** Aborted when the config is not waited for any more. */
  readonly signal: AbortSignal
}

/** Decides which sandbox a client gets. */
export type SandboxOfClient = (session: McpClientSession) => SandboxConfig | Promise<SandboxConfig>

/** Options of {@link createHttpHandler}. */
export interface HttpHandlerOptions extends Omit<McpServerOptions, 'sandbox'> {
  /**
   * The config of each session's sandbox, over the `defaults` of its host; or a function that gives the config of one
   * session when it begins, within 20 seconds. Where the function throws, or its config is not valid, the client reads that
   * it gets no sandbox, the log says why, and nothing else happens.
   *
   * @default {}
   */
  readonly sandbox?: SandboxConfig | SandboxOfClient | undefined
  /**
   * The bearer token that requests must carry, at least 16 characters. An object has the token of each client by the client's
   * name. A list has tokens of clients that are called `'0'`, `'1'` and so on. A session answers only the client that began it.
   *
   * @default undefined (none)
   */
  readonly token?: string | readonly string[] | Readonly<Record<string, string>> | undefined
  /**
   * Says who sent a request, in place of `token`: the client's name (1 to 128 characters, no `#`), or undefined for a request
   * that is refused with the status 401. It is called for each request; one that throws is answered with the status 500.
   *
   * @default undefined (`token` decides)
   */
  readonly authenticate?:
    | ((request: IncomingMessage) => string | undefined | Promise<string | undefined>)
    | undefined
  /**
   * Most sessions at once; a further client is refused with the status 503.
   *
   * @default 64
   */
  readonly maxSessions?: number | undefined
  /**
   * Most sessions of one client at once; a further one is refused with the status 429. Clients without names are one client.
   *
   * @default `maxSessions`
   */
  readonly maxSessionsPerClient?: number | undefined
  /**
   * Names, without a port, that the `Host` of a request may have, besides `localhost`, `127.0.0.1`, `[::1]` and
   * the `hostname` of {@link serveHttp}. Any other is refused, so that no web page reaches the server under a name of its own.
   *
   * @default []
   */
  readonly allowedHosts?: readonly string[] | undefined
  /**
   * Origins, such as `https://app.example.com`, whose web pages may use the server. Requests of others are refused;
   * those that have no `Origin`, as no browser sent them, are not.
   *
   * @default []
   */
  readonly allowedOrigins?: readonly string[] | undefined
  /**
   * Most bytes of a request's body; a larger one is refused with the status 413.
   *
   * @default 4194304 (4 MiB)
   */
  readonly maxBodyBytes?: number | undefined
  /**
   * Most requests of a session that are not answered yet; a further one is refused with the status 429.
   *
   * @default 64
   */
  readonly maxPendingRequests?: number | undefined
  /**
   * Most bytes that the bodies of requests have that are not answered yet, of all sessions together; a further one is
   * refused with the status 503. One session may have a quarter of them, or one body; it is refused more with the
   * status 429. At least `maxBodyBytes`.
   *
   * @default 67108864 (64 MiB), or `maxBodyBytes` where that is more
   */
  readonly maxPendingBytes?: number | undefined
  /**
   * Called before a sandbox that was used is closed, because its session ends, nothing has used it for `idleTimeout`, or the
   * server closes: the last moment to read its changes, or to apply them. It has 30 seconds; what it throws is told to `log`.
   * Not called where the session was lost, or the host closed the sandbox.
   *
   * @default undefined (nothing)
   */
  readonly beforeClose?: BeforeClose | undefined
  /**
   * Whose sandboxes they are. Where it has fewer places than there are sessions, a call may wait for one.
   *
   * @default one of the server's own (isolation `'process'`) with a place for each session, closed with the server
   */
  readonly host?: ShellHost<EngineName> | undefined
  /**
   * Whether the sandbox of a client is stored at the end of its session, where others are closed, and its next session goes on
   * with it, also after a restart of the server. Needs a `host` with a store (`hibernate`), and `token` or `authenticate`. It
   * belongs to the client's name, and where tokens have none to the token; of sessions at once each has its own.
   *
   * @default false
   */
  readonly keepSessions?: boolean | undefined
  /**
   * Called with a line about each session that begins or ends, and each thing that went wrong.
   *
   * @default nothing
   */
  readonly log?: ((line: string) => void) | undefined
}

/** Options of {@link serveHttp}. */
export interface ServeHttpOptions extends HttpHandlerOptions {
  /**
   * The port; 0 takes a free one.
   *
   * @default 0
   */
  readonly port?: number | undefined
  /**
   * The address to listen on. One that is not loopback needs `token` or `authenticate`.
   *
   * @default '127.0.0.1'
   */
  readonly hostname?: string | undefined
  /**
   * Most connections at once, of clients without a token too; further ones are closed.
   *
   * @default 256, or four for each session where that is more
   */
  readonly maxConnections?: number | undefined
}
