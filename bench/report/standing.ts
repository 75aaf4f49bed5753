import { type ContenderName, contenderNames, contenders, isOurs } from '../contenders/contender.ts'
import { type CaseResult, type ScenarioResult, summaryOf } from '../results.ts'
import { formatRatio, formatValue } from '../show.ts'
import { ratioOf, type Summary } from '../statistics.ts'

/** How many times what it costs another this costs: time or memory, or the other's rate to its own. */
export function costRatio(one: Summary, other: Summary, unit: ScenarioResult['unit']): number {
  return unit === 'commands/s' ? ratioOf(other, one) : ratioOf(one, other)
}

/** A line for each case in which a contender with a shell does better than every level of ours. */
export function whereNotFastest(scenarios: readonly ScenarioResult[]): readonly string[] {
  return scenarios.flatMap((scenario) =>
    casesOf(scenario).flatMap((result) => {
      const line = lineFor(scenario, result)
      return line === undefined ? [] : [line]
    }),
  )
}

/** Of steps only the last. */
function casesOf({ cases, steps }: ScenarioResult): readonly CaseResult[] {
  return steps === undefined ? cases : cases.slice(-1)
}

function lineFor({ title, unit, steps }: ScenarioResult, result: CaseResult): string | undefined {
  const entries = contenderNames.flatMap((name) => {
    const summary = summaryOf(result, name)
    return summary === undefined || name === 'echo' ? [] : [{ name, summary }]
  })
  const better = (one: Entry, other: Entry) =>
    unit === 'commands/s'
      ? other.summary.median - one.summary.median
      : one.summary.median - other.summary.median
  const [best, ...others] = [...entries].sort(better)
  const ours = others.filter(({ name }) => isOurs(name))
  if (best === undefined || isOurs(best.name) || ours.length === 0) return undefined
  const shown = ours.map(({ name, summary }) => {
    const ratio = formatRatio(costRatio(summary, best.summary, unit))
    return `${contenders[name]} ${formatValue(summary.median)} (${ratio})`
  })
  const name = steps === undefined ? result.name : `${result.name} ${steps}`
  return `${title}, ${name}: ${contenders[best.name]} with ${formatValue(best.summary.median)} ${unit}; ${shown.join(', ')}.`
}

interface Entry {
  readonly name: ContenderName
  readonly summary: Summary
}
