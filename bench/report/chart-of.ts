import { type Bar, barChart } from '../charts/bars.ts'
import { lineChart } from '../charts/lines.ts'
import { type ContenderName, contenderNames, contenders } from '../contenders/contender.ts'
import { type CaseResult, type Outcome, type ScenarioResult, summaryOf } from '../results.ts'
import { formatValue } from '../show.ts'

/** The chart of a scenario, as an SVG document: bars, or lines where its cases are steps. */
export function chartOf(scenario: ScenarioResult): string {
  const { title, unit, steps, cases } = scenario
  if (steps !== undefined) return lineChart(title, unit, steps, linesOf(cases))
  const groups = cases.map((result) => ({
    name: result.name,
    bars: contenderNames.flatMap((name) => barsOf(name, result.outcomes[name])),
  }))
  return barChart(title, unit, groups)
}

function barsOf(name: ContenderName, outcome: Outcome | undefined): readonly Bar[] {
  if (outcome === undefined) return []
  const bar = { name: contenders[name], colour: name }
  if (!('median' in outcome)) return [{ ...bar, missing: wordsFor(outcome) }]
  const { median, p95 } = outcome
  return [{ ...bar, value: { median, p95, label: formatValue(median) } }]
}

function linesOf(cases: readonly CaseResult[]) {
  return contenderNames.flatMap((name) => {
    const points = cases.flatMap((result): [number, number][] => {
      const summary = summaryOf(result, name)
      return summary === undefined ? [] : [[Number(result.name), summary.median]]
    })
    return points.length === 0 ? [] : [{ name: contenders[name], colour: name, points }]
  })
}

/** Why there is no figure, in words. */
export function wordsFor(outcome: Exclude<Outcome, { median: number }>): string {
  if ('died' in outcome) return `dies: ${outcome.died}`
  return 'cannot' in outcome ? outcome.cannot : `fails: ${outcome.failed}`
}
