import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type ResolvedEngine, resolveEngine } from '../src/engines/strands/resolve-engine.ts'
import { BundledChildren } from './bundle.ts'
import { checks } from './checks/index.ts'
import { contenderNames, isOurs } from './contenders/contender.ts'
import { describeMachine, versionsOf } from './machine.ts'
import { printMachine, printScenario, printTargets, showSeconds } from './print.ts'
import { type Results, type ScenarioResult, withScenarios } from './results.ts'
import { runScenario } from './run-scenario.ts'
import { scenarios } from './scenarios/index.ts'

/** What to measure, and where to write it. */
export interface MeasureOptions {
  readonly only: readonly string[]
  readonly quick: boolean
  readonly json?: string
}

/** The names of all scenarios and checks. */
export const scenarioNames: readonly string[] = [...scenarios, ...checks].map(({ name }) => name)

/** Measures scenarios and checks and prints the results. False where a contender of ours failed. */
export async function measureAll({ only, quick, json }: MeasureOptions): Promise<boolean> {
  const start = performance.now()
  const machine = describeMachine()
  printMachine(machine)
  const engine = await resolveEngine()
  const results = await runAll(only, engine, quick ? 0.2 : 1)
  const targets = results.flatMap((result) => result.targets)
  const missed = printTargets(targets)
  const failed = results.flatMap(failuresOfOurs)
  for (const failure of failed) console.log(`FAILED  ${failure}`)
  console.log(`\n${targets.length} targets, ${missed} missed. ${showSeconds(performance.now() - start)}`)
  if (json !== undefined) writeJson(json, { machine, versions: versionsOf(engine), scenarios: results })
  return failed.length === 0
}

async function runAll(
  chosen: readonly string[],
  engine: ResolvedEngine,
  effort: number,
): Promise<readonly ScenarioResult[]> {
  using children = await BundledChildren.build()
  const setup = { children: children.directory, addon: engine.source.path, effort }
  const done: ScenarioResult[] = []
  for (const scenario of scenarios.filter(({ name }) => chosen.includes(name))) {
    const began = performance.now()
    const result = await runScenario(scenario, setup)
    printScenario(result, performance.now() - began)
    done.push(result)
  }
  for (const { name, does, run } of checks.filter((check) => chosen.includes(check.name))) {
    const began = performance.now()
    done.push({ name, title: name, does, unit: 'ms', cases: [], targets: await run(effort) })
    console.log(`${name}: judged below. ${showSeconds(performance.now() - began)}\n`)
  }
  return done
}

function failuresOfOurs({ name, cases }: ScenarioResult): readonly string[] {
  return cases.flatMap((result) =>
    contenderNames.filter(isOurs).flatMap((contender) => {
      const outcome = result.outcomes[contender]
      const lost = outcome !== undefined && ('failed' in outcome || 'died' in outcome)
      return lost ? [`${name}, ${result.name}, ${contender}: ${JSON.stringify(outcome)}`] : []
    }),
  )
}

/** Writes what was measured. Of a file with more scenarios the others stay. */
function writeJson(file: string, measured: Pick<Results, 'machine' | 'versions' | 'scenarios'>): void {
  const command = ['npm run bench --', ...process.argv.slice(2)].join(' ')
  const results: Results = { command, date: new Date().toISOString(), ...measured }
  const isPart = measured.scenarios.length < scenarioNames.length && existsSync(file)
  const before: Results | undefined = isPart ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  const written = before === undefined ? results : withScenarios(before, results, scenarioNames)
  writeFileSync(file, `${JSON.stringify(written, rounded, 2)}\n`)
}

/** Keeps six digits of each number: none is more precise than that. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(6)) : value
}
