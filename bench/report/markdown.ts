import { type ContenderName, contenderNames, contenders } from '../contenders/contender.ts'
import { type Figure, holds, limitOf } from '../figure.ts'
import { type CaseResult, type Results, type ScenarioResult, summaryOf } from '../results.ts'
import { formatRatio, formatValue } from '../show.ts'
import { wordsFor } from './chart-of.ts'
import { choiceTable } from './choice.ts'
import { costRatio, whereNotFastest } from './standing.ts'

/** The page of a run. */
export function markdownOf(results: Results): string {
  const charted = results.scenarios.filter(({ cases }) => cases.length > 0)
  const judged = results.scenarios.flatMap(({ name, targets }) => targets.map((figure) => ({ name, figure })))
  return `${[
    '# Performance',
    '## Which to choose',
    'What each sandbox and isolation level is for, and what it costs: opening one on a host that has served others, a call of `true`, the resident memory of an idle agent, and that of a thousand of them.',
    choices(results),
    choiceNotes,
    '## How this was measured',
    introduction(results),
    '## Ratios',
    'How many times the time or memory of the raw engine each takes in the same run; less is better. – where there is no figure: the sections below say why.',
    ratioTable(charted, contendersOf(charted)),
    '## Where ours is not the fastest',
    'Each case in which another shell does better than every level of ours, with what ours takes and how many times that of the best. The raw engine is what ours supervises, so that it is ahead by what supervision costs; the echo is no shell and is left out.',
    bullets(whereNotFastest(charted)),
    '## Scenarios',
    ...charted.map(sectionOf),
    '## Targets',
    `What ours is held to, by the scenario that measures it. ${count(judged.map(({ figure }) => figure))}`,
    targetTable(judged),
    '## Contenders',
    contenderTable(results, contendersOf(charted)),
  ].join('\n\n')}\n`
}

function choices(results: Results): string {
  const { head, rows } = choiceTable(results)
  return table(head, rows)
}

const choiceNotes = `– is not in this run. \`npm run bench -- --only hibernate\`, and \`--only bash\`, print what snapshots cost.

- A thousand agents at \`'worker'\` are a thousand threads: take \`'shared'\`, or cells with several agents in each (\`sandboxesPerWorker\`, [hosting.md](hosting.md)).
- Agents that sleep cost no memory: hibernate them in a store ([snapshots.md](snapshots.md#hibernation)).
- A host directory costs a look at each of its files before each call of a Strands Shell ([binds.md](binds.md#what-it-costs)). In bash and in jails it costs what is read and written.`

function introduction({ command, date, machine, scenarios }: Results): string {
  const since = scenarios.some((scenario) => scenario.date !== undefined)
    ? ' With `--only` it has measured some scenarios again since: their sections say when.'
    : ''
  const { node, platform, cores, cpu, memoryGiB } = machine
  return `\`npm run bench:report\` writes this page and its charts from \`bench/results.json\`, and this command wrote that on ${date.slice(0, 10)}: \`${command}\`.${since} Node ${node}, ${platform}, ${cores} cores (${cpu}), ${memoryGiB} GiB. Times on another machine differ; ratios of one run hold better.

Every contender runs in a Node process of its own, and in every round they take turns. Warm-ups are discarded, every answer is checked. A figure is the median of the medians of the rounds; 95 or 99 of 100 samples are at least as good as p95 or p99; a ratio is the median of the ratios of the rounds. The raw engine runs in a worker of its own process, awaited on the thread that calls it; it gets the thread stacks that ours gives it, since with its own it does not live through every command. The worker echo is a bare \`node:worker_threads\` worker that posts answers back: what a message there and back costs, and no shell.`
}

/** Those with an outcome in some scenario. */
function contendersOf(scenarios: readonly ScenarioResult[]): readonly ContenderName[] {
  const outcomes = scenarios.flatMap(({ cases }) => cases.map((result) => result.outcomes))
  return contenderNames.filter((name) => outcomes.some((one) => one[name] !== undefined))
}

function ratioTable(scenarios: readonly ScenarioResult[], names: readonly ContenderName[]): string {
  const rows = scenarios.flatMap((scenario) =>
    scenario.cases.flatMap((result) => {
      const raw = summaryOf(result, 'raw')
      if (raw === undefined || !isHeadline(scenario, result)) return []
      const cells = names.map((name) => {
        const summary = summaryOf(result, name)
        return summary === undefined ? '–' : formatRatio(costRatio(summary, raw, scenario.unit))
      })
      return [[`${scenario.title}: ${caseName(scenario, result)}`, ...cells]]
    }),
  )
  return table(['', ...names.map((name) => contenders[name])], rows)
}

/** Of steps only the last, and of many cases the outer ones. */
function isHeadline({ cases, steps }: ScenarioResult, result: CaseResult): boolean {
  if (steps !== undefined) return result === cases.at(-1)
  return cases.length <= 4 || cases.indexOf(result) < 2 || cases.indexOf(result) >= cases.length - 2
}

function sectionOf(scenario: ScenarioResult): string {
  const { name, title, does, note, unit, date } = scenario
  const measured = date === undefined ? undefined : `Measured on ${date.slice(0, 10)}.`
  return [
    `### ${title}`,
    [does, note, `\`npm run bench -- --only ${name}\`.`, measured]
      .filter((text) => text !== undefined)
      .join(' '),
    `![${title}](performance/${name}.svg)`,
    scenario.steps === undefined ? caseTable(scenario) : stepTable(scenario),
    unit === 'commands/s' ? 'Commands a second; more is better.' : `${unit}; less is better.`,
  ].join('\n\n')
}

function caseTable(scenario: ScenarioResult): string {
  const rows = scenario.cases.flatMap((result) => {
    const raw = summaryOf(result, 'raw')
    return contenderNames.flatMap((name) => {
      const outcome = result.outcomes[name]
      if (outcome === undefined) return []
      const head = [caseName(scenario, result), contenders[name]]
      if (!('median' in outcome)) return [[...head, '–', escapeCell(wordsFor(outcome)), '', '']]
      const ratio = raw === undefined ? '–' : formatRatio(costRatio(outcome, raw, scenario.unit))
      return [[...head, ratio, ...[outcome.median, outcome.p95, outcome.p99].map(formatValue)]]
    })
  })
  return table(['case', 'contender', 'to raw', 'median', 'p95', 'p99'], rows)
}

function stepTable({ cases, steps = '' }: ScenarioResult): string {
  const rows = contenderNames.flatMap((name) => {
    const outcomes = cases.map((result) => result.outcomes[name])
    const reason = outcomes.find((outcome) => outcome !== undefined && !('median' in outcome))
    if (reason !== undefined && !('median' in reason)) {
      return [[contenders[name], escapeCell(wordsFor(reason)), ...cases.slice(1).map(() => '')]]
    }
    const medians = cases.map((result) => formatValue(summaryOf(result, name)?.median ?? Number.NaN))
    return outcomes[0] === undefined ? [] : [[contenders[name], ...medians]]
  })
  return table([steps, ...cases.map(({ name }) => name)], rows)
}

function targetTable(judged: readonly { readonly name: string; readonly figure: Figure }[]): string {
  const rows = judged.map(({ name, figure }) => {
    const { ours, baseline, unit, judged: value, target } = figure
    const against = baseline === undefined ? '' : `${formatRatio(value)} of ${formatValue(baseline)} ${unit}`
    const verdict = target === 'shown' ? '' : holds(figure) ? 'ok' : '**MISS**'
    return [name, escapeCell(figure.name), `${formatValue(ours)} ${unit}`, against, limitOf(target), verdict]
  })
  return table(['scenario', 'figure', 'ours', 'against', 'target', ''], rows)
}

function count(figures: readonly Figure[]): string {
  const held = figures.filter(({ target }) => target !== 'shown')
  const missed = held.filter((figure) => !holds(figure)).length
  return missed === 0 ? `All ${held.length} are met.` : `${missed} of ${held.length} are missed.`
}

function contenderTable({ versions }: Results, names: readonly ContenderName[]): string {
  const rows = names.map((name) => [contenders[name], versions[name] ?? '–'])
  return table(['contender', 'version'], rows)
}

function caseName({ steps }: ScenarioResult, { name }: CaseResult): string {
  return steps === undefined ? name : `${name} ${steps}`
}

function bullets(lines: readonly string[]): string {
  return lines.length === 0 ? 'None in this run.' : lines.map((line) => `- ${line}`).join('\n')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
