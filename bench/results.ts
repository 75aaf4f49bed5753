import type { ContenderName } from './contenders/contender.ts'
import type { Figure } from './figure.ts'
import { ratioOf, type Summary } from './statistics.ts'

/** The outcome of a contender in a case: figures, or why there are none. */
export type Outcome =
  | Summary
  /** It does not offer what the case asks. */
  | { readonly cannot: string }
  /** It failed: an error, or a wrong answer. */
  | { readonly failed: string }
  /** Its process ended; the signal or exit code. */
  | { readonly died: string }

/** A case of a scenario with the outcome of each contender. */
export interface CaseResult {
  readonly name: string
  readonly outcomes: Readonly<Partial<Record<ContenderName, Outcome>>>
}

/** What describes a scenario, without the code that runs it. */
export interface ScenarioHead {
  readonly name: string
  /** A heading. */
  readonly title: string
  /** What it does, in one sentence. */
  readonly does: string
  /** What a reader of its figures has to know besides. */
  readonly note?: string
  /** The unit of every sample. More is better for `commands/s`, less for the others. */
  readonly unit: 'ms' | 'MiB' | 'commands/s'
  /** Where the cases are the steps of a line, what their names count. */
  readonly steps?: string
}

/** A scenario with its results. */
export interface ScenarioResult extends ScenarioHead {
  readonly cases: readonly CaseResult[]
  readonly targets: readonly Figure[]
  /** When it was measured, in ISO 8601, where that was after the run. */
  readonly date?: string
}

/** The machine that the run was on. */
export interface Machine {
  readonly node: string
  readonly platform: string
  readonly cpu: string
  readonly cores: number
  readonly memoryGiB: number
}

/** The contents of the file that `--json` writes. */
export interface Results {
  /** The command line of the run. */
  readonly command: string
  /** The end of the run, in ISO 8601. */
  readonly date: string
  readonly machine: Machine
  /** The versions of what was measured. */
  readonly versions: Readonly<Partial<Record<ContenderName, string>>>
  readonly scenarios: readonly ScenarioResult[]
}

/**
 * The results of a run, in which some scenarios were measured again.
 *
 * @param names - of all scenarios, in their order.
 * @throws {Error} where they were measured on another machine
 */
export function withScenarios(before: Results, again: Results, names: readonly string[]): Results {
  const [one, other] = [before.machine, again.machine].map((machine) => JSON.stringify(machine))
  if (one !== other)
    throw new Error(`The results are of another machine (${one}, not ${other}): measure all scenarios.`)
  const measured = new Map(before.scenarios.map((scenario) => [scenario.name, scenario]))
  for (const scenario of again.scenarios) measured.set(scenario.name, { ...scenario, date: again.date })
  const scenarios = names.flatMap((name) => measured.get(name) ?? [])
  return { ...before, versions: { ...before.versions, ...again.versions }, scenarios }
}

/** The figures of a contender in a case; undefined where it has none. */
export function summaryOf(result: CaseResult | undefined, contender: ContenderName): Summary | undefined {
  const outcome = result?.outcomes[contender]
  return outcome !== undefined && 'median' in outcome ? outcome : undefined
}

/** A judged ratio of ours to a baseline; with `inverse`, of the baseline to ours. */
export function ratioFigure(
  results: readonly CaseResult[],
  {
    name,
    of,
    to,
    inverse = false,
    unit = 'ms',
    target,
  }: {
    readonly name: string
    readonly of: readonly [caseName: string, contender: ContenderName]
    readonly to: readonly [caseName: string, contender: ContenderName]
    readonly inverse?: boolean
    readonly unit?: Figure['unit']
    readonly target: Figure['target']
  },
): Figure {
  const [ours, baseline] = [find(results, of), find(results, to)]
  const judged =
    ours === undefined || baseline === undefined
      ? Number.NaN
      : inverse
        ? ratioOf(baseline, ours)
        : ratioOf(ours, baseline)
  return {
    name,
    ours: ours?.median ?? Number.NaN,
    baseline: baseline?.median ?? Number.NaN,
    unit,
    judged,
    target,
  }
}

/** A judged figure of ours alone. */
export function ownFigure(
  results: readonly CaseResult[],
  name: string,
  of: readonly [caseName: string, contender: ContenderName],
  target: Figure['target'],
  unit: Figure['unit'] = 'ms',
): Figure {
  const ours = find(results, of)?.median ?? Number.NaN
  return { name, ours, unit, judged: ours, target }
}

function find(
  results: readonly CaseResult[],
  [caseName, contender]: readonly [string, ContenderName],
): Summary | undefined {
  return summaryOf(
    results.find(({ name }) => name === caseName),
    contender,
  )
}
