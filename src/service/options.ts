import type { IncomingMessage } from 'node:http'
import type { EngineName } from '../contract/lease.ts'
import type { Labels } from '../host/event-data.ts'
import type { SandboxConfig } from '../shell-host/sandbox-config.ts'
import type { ShellHost } from '../shell-host/shell-host.ts'

/**
 * What a token lets its bearer do. `'read'`: look at sandboxes, their files, changes and events. `'operate'`: all else, running
 * commands among it. `'metrics'`: read the metrics of the host, those of other tenants among them.
 */
export type Scope = 'read' | 'operate' | 'metrics'

/** Who sent a request, and what they may do. */
export interface Grant {
  /** Who it is: 1 to 128 visible characters, no `#`. The timeline and the log say it. */
  readonly name: string
  /**
   * What they may do.
   *
   * @default ['read', 'operate', 'metrics']
   */
  readonly scopes?: readonly Scope[] | undefined
  /**
   * Labels that each of their sandboxes has, such as `{ tenant: 'acme' }`. They see no sandbox without them.
   *
   * @default {} (they see every sandbox)
   */
  readonly labels?: Labels | undefined
  /**
   * Requests a minute; further ones are refused with the status 429.
   *
   * @default undefined (no bound)
   */
  readonly requestsPerMinute?: number | undefined
}

/** A bearer token, and who bears it. */
export interface TokenGrant extends Grant {
  /** At least 16 visible ASCII characters. The service keeps its SHA-256 alone. */
  readonly token: string
}

/** Says who bears a token; undefined for a token that lets nobody in. It has 20 seconds. */
export type Authenticate = (
  token: string,
  request: IncomingMessage,
) => Grant | undefined | Promise<Grant | undefined>

/** Which sandbox a record is of. */
export interface SandboxRecord {
  /** What the sandbox is known by. */
  readonly id: string
  /** The name of its config. */
  readonly template: string
  /** Its labels. */
  readonly labels: Labels
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

/** Where a service keeps which sandboxes there are, for processes after it. */
export interface RecordStore {
  /** Keeps a record, in the place of one with the same id. It is there for good when this resolves. */
  put(record: SandboxRecord): Promise<void>
  /** Removes the record with an id, if there is one. */
  delete(id: string): Promise<void>
  /** The record with an id. */
  get(id: string): Promise<SandboxRecord | undefined>
  /** Every record. */
  list(): Promise<readonly SandboxRecord[]>
}

/** Options of {@link serve}. Durations are in seconds, sizes in bytes. */
export interface ServeOptions {
  /**
   * Who may send requests: tokens, or a function that knows them.
   */
  readonly tokens: readonly TokenGrant[] | Authenticate
  /**
   * The configs that clients may open, by name; they can open nothing else.
   *
   * @default { default: { shell: 'bash' } }
   */
  readonly templates?: Readonly<Record<string, SandboxConfig>> | undefined
  /**
   * A directory that this service keeps its sandboxes in, so that a later process goes on with them. Sandboxes of named sessions
   * are in `sessions`, which sandboxes there are in `records`. Not beside `host`.
   *
   * @default undefined (nothing is kept)
   */
  readonly data?: string | undefined
  /**
   * Whose sandboxes they are. It is closed by who made it.
   *
   * @default one of the service's own (isolation `'process'`), closed with it
   */
  readonly host?: ShellHost<EngineName> | undefined
  /**
   * Whether a call is answered only when what it has changed is in the store, of templates with `checkpoint: 'call'`: then nothing
   * is lost that was answered, also where the process is killed. A call that changes something takes a write to the disk longer.
   *
   * @default true
   */
  readonly durable?: boolean | undefined
  /**
   * Where it is kept which sandboxes there are, for a `host` of yours that stores sessions.
   *
   * @default undefined (in memory)
   */
  readonly records?: RecordStore | undefined
  /**
   * The port; 0 takes a free one.
   *
   * @default 0
   */
  readonly port?: number | undefined
  /**
   * The address to listen on.
   *
   * @default '127.0.0.1'
   */
  readonly hostname?: string | undefined
  /**
   * Names, without a port, that the `Host` of a request may have, besides `localhost`, `127.0.0.1`, `[::1]` and `hostname`.
   *
   * @default []
   */
  readonly allowedHosts?: readonly string[] | undefined
  /**
   * Origins, such as `https://app.example.com`, whose web pages may use the service, besides its own page.
   *
   * @default []
   */
  readonly allowedOrigins?: readonly string[] | undefined
  /**
   * Whether `/` answers with the page, which shows what sandboxes do. Its files hold no data, and need no token.
   *
   * @default true
   */
  readonly page?: boolean | undefined
  /**
   * Most connections at once; further ones are closed.
   *
   * @default 16384
   */
  readonly maxConnections?: number | undefined
  /**
   * Most bytes of a request's body; a larger one is refused with the status 413.
   *
   * @default 100663296 (96 MiB: 64 MiB of standard input as base64 are below)
   */
  readonly maxBodyBytes?: number | undefined
  /**
   * Most requests of one token whose answers are not taken yet, and terminals that are open; a further one is refused with the
   * status 429.
   *
   * @default 256
   */
  readonly maxPendingRequests?: number | undefined
  /**
   * Most bytes that the bodies of requests have that are not answered yet, and the files, tars and snapshots of answers that are
   * not taken yet, of all tokens together; a further one is refused with the status 503. Of a tar one file is counted at a time.
   * One token may have a quarter of them, or one body.
   *
   * @default 268435456 (256 MiB)
   */
  readonly maxPendingBytes?: number | undefined
  /**
   * How long a command with an idempotency key goes on whose client is gone. Then it is stopped.
   *
   * @default 60
   */
  readonly resumeTime?: number | undefined
  /**
   * How long the outcome of a call with an idempotency key is kept after its end.
   *
   * @default 120
   */
  readonly keyTime?: number | undefined
  /**
   * Called with a line about what went wrong. No line has a token or a command.
   *
   * @default nothing
   */
  readonly log?: ((line: string) => void) | undefined
}
