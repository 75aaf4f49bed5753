import { parseArgs } from 'node:util'
import type { Isolation } from '../src/index.ts'
import { SOAK_SHELLS, type SoakShellName } from './shells/shell.ts'

/** The options of a run. */
export interface SoakOptions {
  readonly minutes: number
  /** The shell of every sandbox. */
  readonly shell: SoakShellName
  readonly levels: readonly Isolation[]
  /** Whether cells that get faults are in jails. */
  readonly jails: boolean
  /** With the same seed every actor makes the same decisions. */
  readonly seed: number
  /** Number of actors at each level. */
  readonly sandboxes: number
  /** Mean seconds between two actions of an actor. */
  readonly pace: number
}

/** Options of the command. */
export interface SoakCommand extends SoakOptions {
  /** Files to write at the end. */
  readonly svg?: string
  readonly json?: string
}

const levels = ['worker', 'shared', 'process'] as const satisfies readonly Isolation[]

export const usage = `npm run soak -- [--minutes N] [--shell bash|strands] [--level worker|shared|process|all] [--jails] [--seed N]
                [--sandboxes N] [--pace SECONDS] [--svg FILE] [--json FILE]`

/** @throws {Error} where an argument is not valid */
export function readOptions(args: readonly string[]): SoakCommand {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '2' },
      shell: { type: 'string', default: 'strands' },
      level: { type: 'string', default: 'all' },
      jails: { type: 'boolean', default: false },
      seed: { type: 'string' },
      sandboxes: { type: 'string' },
      pace: { type: 'string', default: '0.4' },
      svg: { type: 'string' },
      json: { type: 'string' },
    },
  })
  const { svg, json, level } = values
  const chosen = levels.filter((name) => level === 'all' || level === name)
  if (chosen.length === 0) throw new Error(`--level must be worker, shared, process or all, but is ${level}.`)
  const shell = SOAK_SHELLS.find((name) => name === values.shell)
  if (shell === undefined) throw new Error(`--shell must be bash or strands, but is ${values.shell}.`)
  return {
    shell,
    minutes: positive('minutes', values.minutes),
    levels: chosen,
    jails: values.jails,
    seed: Math.floor(positive('seed', values.seed ?? String(1 + (Date.now() % 2 ** 31)))),
    sandboxes: Math.ceil(positive('sandboxes', values.sandboxes ?? (shell === 'bash' ? '11' : '10'))),
    pace: positive('pace', values.pace),
    ...(svg === undefined ? {} : { svg }),
    ...(json === undefined ? {} : { json }),
  }
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (value > 0 && Number.isFinite(value)) return value
  throw new Error(`--${name} must be a number above 0, but is ${text}.`)
}
