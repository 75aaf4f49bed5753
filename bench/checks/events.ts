import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SANDBOX_EVENTS } from '../../src/host/event-data.ts'
import { auditLog, type EngineName, type HostedSandbox, ShellHost } from '../../src/index.ts'
import type { Check, Figure } from '../figure.ts'
import { median } from '../statistics.ts'
import { timed } from '../timed.ts'

/** Few: what else the machine does then falls on all three alike. */
const callsOfRound = 20

/** A sandbox whose host tells nobody, listeners, or listeners and an audit log. */
interface Told {
  readonly name: string
  readonly sandboxes: readonly HostedSandbox[]
  readonly host: ShellHost<EngineName>
  readonly times: number[]
}

/** What it costs to tell of calls: listeners of all events, and an audit log in a file beside them. */
export const events: Check = {
  name: 'events',
  does: "What listeners of all events and an audit log add to execute('true').",
  run: async (effort) => {
    const directory = await mkdtemp(join(tmpdir(), 'bench-events-'))
    try {
      const figures: Figure[] = []
      for (const shell of ['strands', 'bash'] as const) {
        for (const atOnce of [1, 8]) {
          figures.push(...(await measure(shell, atOnce, directory, Math.ceil(600 * effort))))
        }
      }
      return figures
    } finally {
      await rm(directory, { recursive: true })
    }
  },
}

async function measure(
  shell: EngineName,
  atOnce: number,
  directory: string,
  rounds: number,
): Promise<readonly Figure[]> {
  await using audit = auditLog({ file: join(directory, `${shell}-${atOnce}.log`) })
  const all: Told[] = []
  try {
    for (const name of ['nobody', 'listeners', 'listeners and audit']) {
      const host = new ShellHost({
        isolation: 'worker',
        defaults: { shell },
        ...(name === 'listeners and audit' ? { audit } : {}),
      })
      let told = 0
      if (name !== 'nobody') for (const kind of SANDBOX_EVENTS) host.on(kind, () => void told++)
      const sandboxes = await Promise.all(Array.from({ length: atOnce }, () => host.open()))
      all.push({ name, host, sandboxes, times: [] })
    }
    const warmUp = Math.ceil(rounds / 5)
    for (let round = -warmUp; round < rounds; round++) {
      // Each is first, second and last equally often.
      for (let turn = 0; turn < all.length; turn++) {
        const one = all[(turn + round + warmUp) % all.length]
        const time = await timed(() => callMany(one?.sandboxes ?? []))
        if (round >= 0) one?.times.push(time / callsOfRound)
      }
    }
  } finally {
    await Promise.all(all.map(({ host }) => host.close()))
  }
  const [nobody, ...others] = all
  const baselines = nobody?.times ?? []
  return others.map(({ name, times }) => ({
    name: `${shell}, ${atOnce} at once: execute('true') with ${name} / with nobody`,
    ours: median(times),
    baseline: median(baselines),
    unit: 'ms',
    judged: median(times.map((time, round) => time / (baselines[round] ?? Number.NaN))),
    target: { most: 1.05 },
  }))
}

async function callMany(sandboxes: readonly HostedSandbox[]): Promise<void> {
  let left = callsOfRound
  await Promise.all(
    sandboxes.map(async (sandbox) => {
      while (left-- > 0) await sandbox.execute('true')
    }),
  )
}
