import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { renderReport } from '../../bench/report/render.ts'
import { type CaseResult, type Results, type ScenarioResult, withScenarios } from '../../bench/results.ts'
import { summarize } from '../../bench/statistics.ts'

const root = new URL('../../', import.meta.url)
const recorded = new URL('bench/results.json', root)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

const at = (value: number) =>
  summarize([
    [value, value * 1.2],
    [value, value * 1.5],
  ])

const fast: CaseResult = {
  name: 'true',
  outcomes: {
    'ours-worker': at(0.2),
    'ours-shared': at(0.25),
    'ours-bash-shared': at(0.5),
    raw: at(0.1),
    echo: at(0.01),
    'just-bash': at(40),
    bashkit: { died: 'SIGSEGV' },
    bash: { failed: 'wrong <answer> | to "x"' },
  },
}

const scenario: ScenarioResult = {
  name: 'execute',
  title: 'One command',
  does: 'Runs `true`.',
  unit: 'ms',
  cases: [fast, { name: 'ours first', outcomes: { 'ours-worker': at(1), raw: at(2) } }],
  targets: [
    { name: 'kept', ours: 0.2, baseline: 0.1, unit: 'ms', judged: 2, target: { most: 2.5 } },
    { name: 'missed', ours: 0.2, unit: 'ms', judged: 0.2, target: { most: 0.1 } },
    { name: 'only shown', ours: 1, unit: 'ms', judged: 1, target: 'shown' },
  ],
}

const results: Results = {
  command: 'npm run bench -- --json bench/results.json',
  date: '2026-11-22T10:00:00.000Z',
  machine: { node: 'v20.18.0', platform: 'linux x64', cpu: 'Some CPU', cores: 2, memoryGiB: 8 },
  versions: { 'just-bash': '3.4.2' },
  scenarios: [
    scenario,
    {
      ...scenario,
      name: 'scaling',
      title: 'Scaling',
      unit: 'commands/s',
      steps: 'shells',
      cases: [1, 2].map((count) => ({
        name: String(count),
        outcomes: { 'ours-worker': at(100 * count), raw: at(150 * count), bash: { cannot: 'is not asked' } },
      })),
      targets: [],
    },
    {
      ...scenario,
      name: 'checked',
      cases: [],
      targets: [
        {
          name: 'jail sandbox: memory of each of 200',
          ours: 20,
          unit: 'MiB',
          judged: 20,
          target: 'shown',
        },
      ],
    },
  ],
}

const page = renderReport(results).get('performance.md') ?? ''

test('a report has a page, and a chart for each scenario that compares', () => {
  expect([...renderReport(results).keys()]).toEqual([
    'performance.md',
    'performance/execute.svg',
    'performance/scaling.svg',
  ])
})

test('the page begins with what each sandbox and level is for, and what it costs where the run says so', () => {
  expect(page.indexOf('## Which to choose')).toBeLessThan(page.indexOf('## How this was measured'))
  expect(page).toMatch(/\| `StrandsShellSandbox` \| `'shared'` \| [^|]+ \| – \| 0\.25 ms \| – \| – \|/)
  expect(page).toMatch(/\| `BashSandbox` \| `'shared'` \| [^|]+ \| – \| 0\.5 ms \| – \| – \|/)
  expect(page).toMatch(/\| `JailSandbox` \| [^|]+ \| [^|]+ \| – \| – \| 20 MiB \| 19\.5 GiB \|/)
})

test('ratios come first: to the raw engine, with a rate turned round so that less is better', () => {
  expect(page).toContain('| One command: true | 2x | 2.5x | 5x | 1x | 0.1x | 400x | – | – |')
  expect(page).toContain('| Scaling: 2 shells | 1.5x | – | – | 1x | – | – | – | – |')
  expect(page.indexOf('## Ratios')).toBeLessThan(page.indexOf('### One command'))
})

test('the page says where ours is not the fastest, and only there', () => {
  const from = page.indexOf('## Where ours is not the fastest')
  const lines = page.slice(from, page.indexOf('## Scenarios')).split('\n')
  expect(lines.filter((line) => line.startsWith('- '))).toEqual([
    '- One command, true: raw engine with 0.1 ms; ours, worker 0.2 (2x), ours, shared 0.25 (2.5x), BashSandbox, shared 0.5 (5x).',
    '- Scaling, 2 shells: raw engine with 300 commands/s; ours, worker 200 (1.5x).',
  ])
})

test('a contender without a figure is shown with the reason', () => {
  expect(page).toContain('| true | bashkit | – | dies: SIGSEGV |  |  |')
  expect(page).toContain('| true | bash -c | – | fails: wrong <answer> \\| to "x" |  |  |')
  expect(page).toContain('| bash -c | is not asked |  |')
})

test('every target is listed with what it came to', () => {
  expect(page).toContain('1 of 2 are missed.')
  expect(page).toContain('| execute | kept | 0.2 ms | 2x of 0.1 ms | at most 2.5 | ok |')
  expect(page).toContain('| execute | missed | 0.2 ms |  | at most 0.1 | **MISS** |')
  expect(page).toContain('| execute | only shown | 1 ms |  | shown |  |')
})

test('a chart draws each figure inside its page, escapes what it writes, and follows the colour scheme', () => {
  for (const name of ['execute', 'scaling']) {
    const svg = renderReport(results).get(`performance/${name}.svg`) ?? ''
    const [, width = 0, height = 0] = (/viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []).map(Number)
    const numbers = (attribute: string) =>
      [...svg.matchAll(new RegExp(` (?:${attribute})="([^"]+)"`, 'g'))].map(([, value]) => Number(value))
    expect(numbers('x|x1|x2|width').filter((value) => !(value >= 0 && value <= width))).toEqual([])
    expect(numbers('y|y1|y2|height').filter((value) => !(value >= 0 && value <= height))).toEqual([])
    expect(svg).toContain('prefers-color-scheme: dark')
    expect(svg).not.toContain('<answer>')
  }
  const bars = renderReport(results).get('performance/execute.svg') ?? ''
  expect(bars.match(/<rect class="(?!paper)/g)).toHaveLength(8)
  expect(bars).toContain('logarithmic')
})

test.runIf(existsSync(recorded))('docs/performance.md and its charts are what the recorded run gives', () => {
  const report = renderReport(JSON.parse(readFileSync(recorded, 'utf8')))
  for (const [path, content] of report) expect(read(`docs/${path}`), path).toBe(content)
  const charts = [...report.keys()].filter((path) => path.endsWith('.svg'))
  expect(readdirSync(new URL('docs/performance', root)).sort()).toEqual(
    charts.map((path) => path.replace('performance/', '')).sort(),
  )
})

describe('scenarios that are measured again', () => {
  const names = ['scaling', 'execute', 'new', 'checked']
  const again: Results = {
    ...results,
    command: 'npm run bench -- --only execute --only new --json bench/results.json',
    date: '2026-11-28T10:00:00.000Z',
    versions: { bash: '5.2' },
    scenarios: [
      { ...scenario, note: 'Measured again.' },
      { ...scenario, name: 'new' },
    ],
  }

  test('take the place of the ones before, with their date; the others stay', () => {
    const merged = withScenarios(results, again, names)
    const { command, date } = results
    expect(merged).toMatchObject({ command, date, versions: { 'just-bash': '3.4.2', bash: '5.2' } })
    expect(merged.scenarios.map(({ name, date }) => [name, date])).toEqual([
      ['scaling', undefined],
      ['execute', again.date],
      ['new', again.date],
      ['checked', undefined],
    ])
    const text = renderReport(merged).get('performance.md')
    expect(text).toContain('Measured again. `npm run bench -- --only execute`. Measured on 2026-11-28.')
    expect(text).toContain('With `--only` it has measured some scenarios again since')
    expect(page).not.toContain('Measured on')
  })

  test('are not mixed with those of another machine', () => {
    const other = { ...again, machine: { ...again.machine, cores: 8 } }
    expect(() => withScenarios(results, other, names)).toThrow(/another machine .*measure all scenarios/)
  })
})
