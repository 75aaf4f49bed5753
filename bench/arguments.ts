import { parseArgs } from 'node:util'

/** Rounds of a comparison unless `--rounds` says otherwise. */
const defaultRounds = 15

/** The command line asks for something that there is not; the message says what to write instead. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The command line of `npm run bench`. */
export type BenchCommand =
  | {
      readonly kind: 'measure'
      /** Scenarios and checks to run. */
      readonly only: readonly string[]
      /** Shortens every measurement to a fifth. */
      readonly quick: boolean
      /** File that the results are written to. */
      readonly json?: string
    }
  | {
      readonly kind: 'compare'
      /** The commit to compare with, as git names it. */
      readonly ref: string
      /** Comparisons to run. */
      readonly only: readonly string[]
      readonly rounds: number
      /** Percent that a comparison may take longer before it fails, where that is certain. */
      readonly tolerance?: number
    }

/** The names that `--only` accepts. */
export interface BenchNames {
  readonly scenarios: readonly string[]
  readonly comparisons: readonly string[]
}

/**
 * Reads the command line.
 *
 * @throws {UsageError} where an option is unknown, has a wrong value, or belongs to the other kind of run
 */
export function readArguments(args: readonly string[], names: BenchNames): BenchCommand {
  const { compare: ref, rounds, tolerance, quick, json, only: chosen } = parse(args)
  if (ref === undefined) {
    if (rounds !== undefined) throw new UsageError('--rounds needs --compare REF.')
    if (tolerance !== undefined) throw new UsageError('--tolerance needs --compare REF.')
    const only = chosenFrom(names.scenarios, chosen)
    return { kind: 'measure', only, quick: quick ?? false, ...(json === undefined ? {} : { json }) }
  }
  if (ref === '') throw new UsageError('--compare needs a commit.')
  if (quick !== undefined || json !== undefined)
    throw new UsageError('--quick and --json do not apply to --compare.')
  return {
    kind: 'compare',
    ref,
    only: chosenFrom(names.comparisons, chosen),
    rounds: rounds === undefined ? defaultRounds : wholeNumber('rounds', rounds),
    ...(tolerance === undefined ? {} : { tolerance: wholeNumber('tolerance', tolerance) }),
  }
}

function parse(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        only: { type: 'string', multiple: true },
        quick: { type: 'boolean' },
        json: { type: 'string' },
        compare: { type: 'string' },
        rounds: { type: 'string' },
        tolerance: { type: 'string' },
      },
    })
    return values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/** All names, or the chosen ones in the order of `all`. */
function chosenFrom(all: readonly string[], only: readonly string[] | undefined): readonly string[] {
  const unknown = only?.find((name) => !all.includes(name))
  if (unknown !== undefined)
    throw new UsageError(`There is no scenario ${unknown}. There are: ${all.join(', ')}.`)
  return only === undefined ? all : all.filter((name) => only.includes(name))
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value > 0) return value
  throw new UsageError(`--${name} must be a whole number above 0, but is ${text}.`)
}
