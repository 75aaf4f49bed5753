import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import {
  type ExecuteOptions,
  type ShellHost,
  type StrandsShellSandbox,
  WorkerLostError,
} from '../../../src/index.ts'
import { until, within } from '../../faults/helpers.ts'
import { isFull } from '../../support/tier.ts'
import { cellPids } from './cell-pids.ts'
import { cellHost, ofCell } from './helpers.ts'

const cells = 8
const seconds = Number(process.env['CELL_CHAOS_SECONDS'] ?? 30)
const seed = Number(process.env['CELL_CHAOS_SEED'] ?? Date.now() % 2 ** 32)

/** Numbers from 0 to below 1, the same for the same seed. */
function randomNumbers(start: number): () => number {
  let state = start >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** What is told of a sandbox's losses by its calls, and by its host's events. */
interface Losses {
  /** Calls that said that the session was lost. */
  told: number
  /** Calls that said that there is no new session, because its cell died as it opened. */
  refused: number
  lost: number
  rejected: number
}

/** A sandbox that uses its session until the time is over, and whose session may be lost at any time. */
class Survivor {
  readonly losses: Losses = { told: 0, refused: 0, lost: 0, rejected: 0 }
  calls = 0
  readonly #id: string
  readonly #random: () => number
  #sandbox: StrandsShellSandbox
  /** What the session has written last: none of it in a fresh one. */
  #mark = ''

  constructor(sandbox: StrandsShellSandbox, id: string, random: () => number) {
    this.#sandbox = sandbox
    this.#id = id
    this.#random = random
  }

  /** One use; what it reads must be what this session has written last, or nothing. */
  async use(): Promise<void> {
    const mark = `${this.#id} ${++this.calls}`
    const uses = [
      () => this.#command(mark),
      () => this.#command(mark, { cwd: '/tmp' }),
      () => this.#files(mark),
    ]
    const use = uses[Math.floor(this.#random() * uses.length)]
    try {
      const read = await within(60, use?.() ?? Promise.reject(new Error('no such use')))
      expect(read).toBe(this.#mark)
      this.#mark = mark
    } catch (error) {
      if (!(error instanceof WorkerLostError) || error.code !== 'WORKER_LOST') throw error
      expect(String(error.cause)).toBe('SessionLoss: The cell was ended by SIGKILL.')
      if (error.message.startsWith('The session was lost')) this.losses.told += 1
      else this.losses.refused += 1
      this.#mark = ''
    }
  }

  async #command(mark: string, options?: ExecuteOptions): Promise<string> {
    const write = `touch /tmp/mark; cat /tmp/mark; printf %s '${mark}' > /tmp/mark; sleep 0.02`
    return (await this.#sandbox.execute(write, options)).stdout
  }

  /** Three calls, one after the other: the session may be lost between them. */
  async #files(mark: string): Promise<string> {
    await this.#sandbox.execute('touch /tmp/mark')
    const read = await this.#sandbox.readText('/tmp/mark')
    await this.#sandbox.writeText('/tmp/mark', mark)
    return read
  }
}

/** Has the survivors work while cells are killed at random. Resolves with the number of kills. */
async function rage(survivors: readonly Survivor[], random: () => number): Promise<number> {
  const end = performance.now() + seconds * 1000
  const working = Promise.all(
    survivors.map(async (survivor) => {
      while (performance.now() < end) {
        await survivor.use()
        // A session may also be lost while nobody uses it.
        if (random() < 0.2) await sleep(300 * random())
      }
    }),
  )
  working.catch(() => undefined) // Told below.
  let kills = 0
  while (performance.now() < end) {
    await sleep(200)
    const pids = cellPids()
    const victim = pids[Math.floor(random() * pids.length)]
    if (victim === undefined) continue
    process.kill(victim, 'SIGKILL')
    kills += 1
  }
  await within(60, working)
  return kills
}

async function survivorsOf(host: ShellHost, random: () => number): Promise<Map<string, Survivor>> {
  const ids = Array.from({ length: 2 * cells }, (_, index) => `sandbox-${index}`)
  const sandboxes = await Promise.all(ids.map((id, index) => host.open(ofCell(index % 2), { id })))
  return new Map(
    sandboxes.map((sandbox, index) => {
      const id = ids[index] ?? ''
      return [id, new Survivor(sandbox, id, random)]
    }),
  )
}

it.runIf(isFull || 'CELL_CHAOS_SECONDS' in process.env)(
  `sandboxes whose cells are killed again and again lose their sessions and nothing else (CELL_CHAOS_SEED=${seed})`,
  async () => {
    const random = randomNumbers(seed)
    const host = cellHost({ maxCells: cells, sandboxesPerCell: 4, cellBackoff: 0.2 })
    const byId = await survivorsOf(host, random)
    const survivors = [...byId.values()]
    for (const event of ['lost', 'rejected'] as const) {
      host.on(event, ({ id = '' }) => {
        const losses = byId.get(id)?.losses
        if (losses !== undefined) losses[event] += 1
      })
    }
    expect(host.stats().cells).toBe(cells)
    const kills = await rage(survivors, random)
    // Losses that no call has told yet are told now, and then all work.
    for (let round = 0; round < 2; round++) await Promise.all(survivors.map((survivor) => survivor.use()))
    const all = survivors.map(({ losses }) => losses)
    console.log(
      `chaos: seed ${seed}, ${seconds} s, ${kills} cells killed, ${sum(all, 'lost')} sessions lost, ` +
        `${sum(all, 'rejected')} openings refused, ${survivors.reduce((calls, one) => calls + one.calls, 0)} uses`,
    )
    expect(kills).toBeGreaterThan(seconds)
    expect(sum(all, 'lost')).toBeGreaterThan(0)
    expect(all.map(({ told, refused }) => [told, refused])).toEqual(
      all.map(({ lost, rejected }) => [lost, rejected]),
    )
    expect(host.stats()).toMatchObject({ leased: survivors.length, retired: 0, running: 0, queued: 0 })
    await host.close()
    await until(() => cellPids().length === 0)
    expect(host.stats()).toMatchObject({ cells: 0, leased: 0, retired: 0 })
  },
  (seconds + 120) * 1000,
)

function sum(all: readonly Losses[], what: keyof Losses): number {
  return all.reduce((total, losses) => total + losses[what], 0)
}
