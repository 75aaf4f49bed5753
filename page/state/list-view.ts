import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { SandboxData } from '../../src/protocol/sandbox-schemas.ts'

/** Which sandboxes are listed. */
export const SHOWN = ['all', 'running', 'failed', 'away'] as const
export type Shown = (typeof SHOWN)[number]

/** In which order. */
export const ORDERS = ['newest', 'active', 'name'] as const
export type Order = (typeof ORDERS)[number]

const belongs: Readonly<Record<Shown, (sandbox: SandboxData) => boolean>> = {
  all: () => true,
  running: isRunning,
  failed: hasFailed,
  away: ({ status }) => status === 'lost' || status === 'hibernated' || status === 'stored',
}

const compare: Readonly<Record<Order, (one: SandboxData, other: SandboxData) => number>> = {
  newest: (one, other) => other.createdAt - one.createdAt || byName(one, other),
  active: (one, other) => usedAt(other) - usedAt(one) || byName(one, other),
  name: byName,
}

/** The list as it is filtered and ordered. */
export class ListView {
  readonly query = signal('')
  readonly shown = signal<Shown>('all')
  readonly order = signal<Order>('newest')
  readonly rows: ReadonlySignal<readonly SandboxData[]>
  /** How many sandboxes each filter has. */
  readonly counts: ReadonlySignal<Readonly<Record<Shown, number>>>

  constructor(sandboxes: ReadonlySignal<ReadonlyMap<string, SandboxData>>) {
    const found = computed(() => {
      const words = this.query.value.toLowerCase().split(/\s+/).filter(Boolean)
      return [...sandboxes.value.values()].filter((sandbox) => {
        const text = words.length === 0 ? '' : textOf(sandbox)
        return words.every((word) => text.includes(word))
      })
    })
    this.rows = computed(() => found.value.filter(belongs[this.shown.value]).sort(compare[this.order.value]))
    this.counts = computed(() => ({
      all: found.value.length,
      running: found.value.filter(belongs.running).length,
      failed: found.value.filter(belongs.failed).length,
      away: found.value.filter(belongs.away).length,
    }))
  }
}

/** Whether a command runs in a sandbox. */
export function isRunning({ lastCommand }: SandboxData): boolean {
  return lastCommand?.state === 'running'
}

/** Whether the last command of a sandbox was rejected, or has failed. */
export function hasFailed({ lastCommand }: SandboxData): boolean {
  return lastCommand?.state === 'failed' || (lastCommand?.exitCode ?? 0) !== 0
}

function usedAt({ lastUsedAt, createdAt }: SandboxData): number {
  return lastUsedAt ?? createdAt
}

function byName(one: SandboxData, other: SandboxData): number {
  return one.id < other.id ? -1 : 1
}

/** What is searched of a sandbox, in lower case. */
function textOf({ id, template, labels, lastCommand }: SandboxData): string {
  const named = Object.entries(labels).map(([name, value]) => `${name}=${value}`)
  return [id, template, ...named, lastCommand?.command ?? ''].join(' ').toLowerCase()
}
