import { parseArgs } from 'node:util'

/** What a chaos is made of. */
export interface ChaosOptions {
  readonly minutes: number
  readonly nodes: number
  readonly sessions: number
  /** Calls a second, of all sessions together. */
  readonly rate: number
  /** Jobs of the batch. */
  readonly jobs: number
  /** Seconds between two faults. */
  readonly every: number
  /** With the same seed the same faults come in the same order. */
  readonly seed: number
  readonly isolation: string
}

export const usage = `npm run cluster:chaos -- [--minutes N] [--nodes N] [--sessions N] [--rate N] [--jobs N] [--every SECONDS] [--seed N]
                         [--isolation worker|shared|process]`

/** @throws {Error} where an argument is not valid */
export function readOptions(args: readonly string[]): ChaosOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '20' },
      nodes: { type: 'string', default: '3' },
      sessions: { type: 'string', default: '300' },
      rate: { type: 'string', default: '20' },
      jobs: { type: 'string', default: '5000' },
      every: { type: 'string', default: '10' },
      seed: { type: 'string', default: String(1 + (Date.now() % 2 ** 31)) },
      isolation: { type: 'string', default: 'shared' },
    },
  })
  const { isolation } = values
  if (!['worker', 'shared', 'process'].includes(isolation))
    throw new Error(`--isolation must be worker, shared or process, but is ${isolation}.`)
  return {
    minutes: atLeast('minutes', values.minutes, 0.1),
    nodes: Math.floor(atLeast('nodes', values.nodes, 2)),
    sessions: Math.floor(atLeast('sessions', values.sessions, 1)),
    rate: atLeast('rate', values.rate, 0.1),
    jobs: Math.floor(atLeast('jobs', values.jobs, 0)),
    every: atLeast('every', values.every, 1),
    seed: Math.floor(atLeast('seed', values.seed, 1)),
    isolation,
  }
}

function atLeast(name: string, text: string, least: number): number {
  const value = Number(text)
  if (value >= least && Number.isFinite(value)) return value
  throw new Error(`--${name} must be a number of at least ${least}, but is ${text}.`)
}
