import { contenders, isContender } from './contenders/contender.ts'
import { type Figure, holds, limitOf } from './figure.ts'
import type { Machine, Outcome, ScenarioResult } from './results.ts'
import { summaryOf } from './results.ts'
import { formatRatio, formatValue } from './show.ts'
import { ratioOf } from './statistics.ts'

/** Prints the machine. */
export function printMachine({ node, platform, cores, cpu, memoryGiB }: Machine): void {
  console.log(`Node ${node}, ${platform}, ${cores} cores (${cpu}), ${memoryGiB} GiB\n`)
}

/** Prints a scenario and its duration in milliseconds: ratios to the raw engine, then median, p95 and p99. */
export function printScenario({ title, does, name, unit, cases }: ScenarioResult, spent: number): void {
  console.log(`${title} (${name}, ${unit}). ${does}`)
  for (const result of cases) {
    console.log(`  ${result.name}`)
    const raw = summaryOf(result, 'raw')
    for (const [contender, outcome] of Object.entries(result.outcomes)) {
      if (!isContender(contender)) continue
      const ratio = 'median' in outcome && raw !== undefined ? formatRatio(ratioOf(outcome, raw)) : ''
      console.log(`    ${contenders[contender].padEnd(16)}${ratio.padStart(8)}  ${showOutcome(outcome)}`)
    }
  }
  console.log(`  ${showSeconds(spent)}\n`)
}

/** Prints figures with their targets. The number of missed ones. */
export function printTargets(targets: readonly Figure[]): number {
  for (const figure of targets) console.log(showFigure(figure))
  return targets.filter((figure) => !holds(figure)).length
}

/** Milliseconds as whole seconds. */
export function showSeconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} s.`
}

function showOutcome(outcome: Outcome): string {
  if ('cannot' in outcome) return `cannot: ${outcome.cannot}`
  if ('failed' in outcome) return `FAILED: ${outcome.failed}`
  if ('died' in outcome) return `DIED: ${outcome.died}`
  const { median, p95, p99, samples } = outcome
  return `${formatValue(median).padStart(8)}  p95 ${formatValue(p95)}  p99 ${formatValue(p99)}  of ${samples}`
}

function showFigure(figure: Figure): string {
  const { name, ours, baseline, unit, judged, target } = figure
  const measured = baseline === undefined ? '' : `${judged.toFixed(2)}x   `
  const against = baseline === undefined ? '' : ` against ${baseline.toFixed(3)} ${unit}`
  const verdict = holds(figure) ? 'ok  ' : 'MISS'
  return `${verdict}  ${name.padEnd(48)} ${measured}${ours.toFixed(3)} ${unit}${against} (${limitOf(target)})`
}
