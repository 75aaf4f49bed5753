import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ExecuteOptions,
  type HostedConfig,
  type HostedSandbox,
  type Isolation,
  SandboxError,
  SessionLoss,
  ShellHost,
  type ShellHostOptions,
} from '../../../src/index.ts'
import type { TriggeredFault } from '../../fixtures/triggered-faults.ts'
import { faultyWorker, until } from '../basics.ts'
import type { MatrixEngine } from './engines.ts'

/** What a stage's sandboxes and hosts are made with. */
export interface StageOptions {
  readonly engine: MatrixEngine
  readonly level: Isolation
  /** For trigger files; there already. */
  readonly directory: string
  readonly config?: HostedConfig | undefined
  readonly host?: ShellHostOptions | undefined
  /** Of the moment `open`, which has a host of its own where this is given. */
  readonly opener?: ShellHostOptions | undefined
  /** Of the commands under which the fault strikes. */
  readonly call?: ExecuteOptions | undefined
}

interface FaultyOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Its host does not know it by the id. Default: false. */
  readonly nameless?: boolean
}

/** Where a fault strikes: the hosts of one level, their sandboxes, and what is told of them. */
export class Stage {
  readonly options: StageOptions
  readonly hosts: ShellHost[] = []
  /** Events by the id of their sandbox, in order. */
  readonly events = new Map<string, string[]>()
  readonly main: ShellHost

  constructor(options: StageOptions) {
    this.options = options
    this.main = this.makeHost()
  }

  makeHost(options: ShellHostOptions = {}): ShellHost {
    const host = new ShellHost({
      isolation: this.options.level,
      workerUrl: faultyWorker,
      // What triggers a fault is a file of the host.
      hardening: 'none',
      maxCells: 1,
      sandboxesPerCell: 16,
      cellBackoff: 0.1,
      // An opening is held until all others are under way.
      openTimeout: 600,
      ...this.options.host,
      ...options,
    })
    for (const event of ['lost', 'reopened', 'rejected'] as const) {
      host.on(event, ({ id = '' }) => this.events.set(id, [...(this.events.get(id) ?? []), event]))
    }
    this.hosts.push(host)
    return host
  }

  /** The file that sets off the fault of a sandbox. */
  triggerOf(id: string): string {
    return join(this.options.directory, id.replaceAll(' ', '-'))
  }

  /** Opens a sandbox that no fault strikes. */
  open(host: ShellHost): Promise<HostedSandbox> {
    return this.options.engine.open(host, {})
  }

  /** Opens one whose fault the trigger of this id sets off. */
  openFaulty(host: ShellHost, id: string, options: FaultyOptions = {}): Promise<HostedSandbox> {
    const { engine, config } = this.options
    const env = { FAULT_TRIGGER: this.triggerOf(id), ...options.env }
    // No held command is to meet the engine's deadline.
    return engine.open(host, { timeout: 300, ...config, env }, options.nameless === true ? undefined : id)
  }

  async close(): Promise<void> {
    await Promise.all(this.hosts.map((host) => host.close()))
  }
}

/** A sandbox in the state in which the fault strikes it. */
export interface Scene {
  readonly id: string
  readonly host: ShellHost
  readonly trigger: string
  /** The process of its worker. */
  readonly pid: number | undefined
  /** Begins what is to be under way with the fault, in the same turn of the event loop. */
  readonly begin?: () => void
  /** How what was under way ended, once the fault has struck. */
  readonly end: () => Promise<string>
  /** The sandbox that is to work afterwards; undefined where its host is closed. */
  readonly again: () => Promise<HostedSandbox> | undefined
  /** The sandbox, where no call of it is pending when the fault strikes. */
  readonly resting?: HostedSandbox
}

/** Sets the fault of a scene off. */
export function trigger({ trigger }: Pick<Scene, 'trigger'>, fault: TriggeredFault): void {
  if (existsSync(trigger)) return
  writeFileSync(`${trigger}.new`, fault)
  renameSync(`${trigger}.new`, trigger)
}

/** Resolves when the call that is to be held is. */
export function held(trigger: string): Promise<void> {
  return until(() => existsSync(`${trigger}.held`), 60)
}

/** How a call ended, in a word: `done`, or the code of its error, with that of its cause. */
export async function wordOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'done'
  } catch (error) {
    if (!(error instanceof SandboxError)) return `not an error of the package: ${String(error)}`
    const { code, cause } = error
    return cause instanceof SessionLoss ? `${code} ${cause.code}` : code
  }
}
