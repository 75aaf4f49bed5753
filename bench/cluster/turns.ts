import { performance } from 'node:perf_hooks'
import type { Sandbox } from '../../src/index.ts'
import { processorTime } from '../processor-time.ts'

/** What came of some milliseconds of calls. */
export interface Turn {
  /** Milliseconds of each call. */
  readonly times: readonly number[]
  readonly perSecond: number
  /** Seconds of a processor that their server took. */
  readonly processor: number
}

/** Sandboxes of a server. */
export interface Callers {
  readonly sandboxes: readonly Sandbox[]
  /** Of the process of the server. */
  readonly pid: string
}

/**
 * Has sandboxes make calls at once, one after another each, for some milliseconds.
 *
 * @param command - by the number of the call.
 * @param most - calls after which they stop.
 */
export async function callAll(
  { sandboxes, pid }: Callers,
  command: (call: number) => string,
  milliseconds: number,
  most = Number.POSITIVE_INFINITY,
): Promise<Turn> {
  const times: number[] = []
  const processorBefore = processorTime(pid)
  const start = performance.now()
  let made = 0
  await Promise.all(
    sandboxes.map(async (sandbox) => {
      do {
        made += 1
        const began = performance.now()
        const { exitCode, stderr } = await sandbox.execute(command(made))
        times.push(performance.now() - began)
        if (exitCode !== 0) throw new Error(`A call has failed: ${stderr}`)
      } while (made < most && performance.now() - start < milliseconds)
    }),
  )
  const perSecond = times.length / ((performance.now() - start) / 1000)
  return { times, perSecond, processor: processorTime(pid) - processorBefore }
}

/** Milliseconds of a processor that the server took for a call. */
export function processorOf(turns: readonly Turn[]): number {
  const calls = turns.reduce((sum, { times }) => sum + times.length, 0)
  return (turns.reduce((sum, { processor }) => sum + processor, 0) * 1000) / calls
}

/** Takes rounds of turns: whatever else the machine does, each kind has as much of it. @returns the turns of each kind */
export async function inTurns<const Kinds extends readonly (() => Promise<Turn>)[]>(
  rounds: number,
  kinds: Kinds,
): Promise<{ readonly [Kind in keyof Kinds]: readonly Turn[] }>
export async function inTurns(
  rounds: number,
  kinds: readonly (() => Promise<Turn>)[],
): Promise<readonly (readonly Turn[])[]> {
  const turns = kinds.map((): Turn[] => [])
  for (let round = 0; round < rounds; round += 1) {
    for (let place = 0; place < kinds.length; place += 1) {
      const at = (round + place) % kinds.length
      const turn = await kinds[at]?.()
      if (turn !== undefined) turns[at]?.push(turn)
    }
  }
  return turns
}
