import type { Results } from '../results.ts'
import { chartOf } from './chart-of.ts'
import { markdownOf } from './markdown.ts'

/** The files of a report and their contents, by their paths below `docs/`. */
export function renderReport(results: Results): ReadonlyMap<string, string> {
  const charts = results.scenarios
    .filter(({ cases }) => cases.length > 0)
    .map((scenario) => [`performance/${scenario.name}.svg`, chartOf(scenario)] as const)
  return new Map([['performance.md', markdownOf(results)], ...charts])
}
