import type { CommandEventData, SandboxEvent, SandboxEventMap } from '../../../src/host/event-data.ts'
import type { HostStats } from '../../../src/host/host-stats.ts'
import { SandboxEvents } from '../../../src/host/sandbox-events.ts'
import type { WatchedHost } from '../../../src/telemetry/watched-host.ts'

const none = { count: 0, mean: 0, p50: 0, p99: 0, max: 0 }

const idle: HostStats = {
  ...{ open: 3, hibernated: 1, queued: 2, running: 1, waiting: 0 },
  ...{ cells: 1, workers: 4, leased: 2, idle: 1, retired: 0 },
  ...{ peak: 3, opened: 0, reopened: 0, lost: 0, hibernations: 0, wakes: 0, checkpoints: 0 },
  ...{ closed: {}, calls: 0, errors: {}, hardening: undefined },
  ...{ queueWait: none, openTime: none, wakeTime: none, callTime: none },
  tenants: [{ tenant: 'a', leased: 2, queued: 1, running: 1, waiting: 0 }],
  ...{ rss: 1_000_000, threads: 9, eventLoopDelay: { mean: 1, p99: 20, max: 30 } },
}

/** A host without sandboxes, which tells what a test says. */
export class FakeHost implements WatchedHost {
  readonly events = new SandboxEvents()
  /** How often its figures were read. */
  looks = 0
  figures: HostStats = idle

  on: WatchedHost['on'] = (event, listener) => this.events.on(event, listener)
  off: WatchedHost['off'] = (event, listener) => this.events.off(event, listener)

  stats(): HostStats {
    this.looks += 1
    return this.figures
  }

  /** True where anybody listens to an event. */
  listensTo(event: SandboxEvent): boolean {
    return this.events.listensTo(event)
  }

  tell<Kind extends SandboxEvent>(kind: Kind, event: SandboxEventMap[Kind]): void {
    this.events.emit(kind, event)
  }
}

/** What an event says of its sandbox. */
export function about<Kind extends SandboxEvent>(kind: Kind, labels: Readonly<Record<string, string>> = {}) {
  return {
    kind,
    time: 0,
    id: 'a',
    sandbox: 1,
    labels,
    isolation: 'shared',
    shell: 'bash',
    generation: 1,
    sequence: 1,
  } as const
}

/** A command that has ended well. */
export const command: CommandEventData = {
  ...{ command: 'true', length: 4, language: undefined, exitCode: 0, timedOut: false, truncated: false },
  ...{ stdoutBytes: 0, stderrBytes: 0, changed: [], waitedMs: 1, durationMs: 2, endedMs: 0 },
  ...{ error: undefined, denied: false },
}
