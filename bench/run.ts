// npm run bench -- [--only NAME]… [--quick] [--json FILE]
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { resolveEngine } from '../src/engines/strands/resolve-engine.ts'
import { BundledChildren } from './bundle.ts'
import { checks } from './checks/index.ts'
import { contenderNames, isOurs } from './contenders/contender.ts'
import { describeMachine, versionsOf } from './machine.ts'
import { printMachine, printScenario, printTargets, showSeconds } from './print.ts'
import type { Results, ScenarioResult } from './results.ts'
import { runScenario } from './run-scenario.ts'
import { scenarios } from './scenarios/index.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
})
const names = [...scenarios, ...checks].map(({ name }) => name)
const chosen = values.only ?? names
const unknown = chosen.find((name) => !names.includes(name))
if (unknown !== undefined) {
  console.error(`There is no scenario ${unknown}. There are: ${names.join(', ')}.`)
  process.exit(2)
}

const machine = describeMachine()
printMachine(machine)
const start = performance.now()
const effort = values.quick ? 0.2 : 1
const engine = await resolveEngine()
const results = await runAll()
const targets = results.flatMap((result) => result.targets)
const missed = printTargets(targets)
const failed = results.flatMap(failuresOfOurs)
for (const failure of failed) console.log(`FAILED  ${failure}`)
console.log(`\n${targets.length} targets, ${missed} missed. ${showSeconds(performance.now() - start)}`)
if (values.json !== undefined) writeJson(values.json)
process.exitCode = failed.length > 0 ? 1 : 0

async function runAll(): Promise<readonly ScenarioResult[]> {
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

function writeJson(file: string): void {
  const command = ['npm run bench --', ...process.argv.slice(2)].join(' ')
  const written: Results = {
    command,
    date: new Date().toISOString(),
    machine,
    versions: versionsOf(engine),
    scenarios: results,
  }
  writeFileSync(file, `${JSON.stringify(written, rounded, 2)}\n`)
}

/** Numbers with six digits, which is more than any of them holds. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(6)) : value
}
