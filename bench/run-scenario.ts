import { type ContenderName, contenderNames } from './contenders/contender.ts'
import type { CaseResult, Outcome, ScenarioResult } from './results.ts'
import type { Samples, Scenario } from './scenario.ts'
import { type RoundReply, Stage, type StageSetup } from './stage.ts'
import { summarize } from './statistics.ts'

/** What a contender has given so far. */
interface Progress {
  readonly samples: Samples[]
  /** Why it gives no more. */
  ended?: Exclude<RoundReply, { samples: Samples }>
}

/** Measures all contenders at one scenario, in turns. */
export async function runScenario(
  scenario: Scenario,
  setup: StageSetup,
  names: readonly ContenderName[] = contenderNames,
): Promise<ScenarioResult> {
  const entered = names.filter((name) => scenario.cannot?.[name] === undefined)
  const records = new Map<ContenderName, Progress>(entered.map((name) => [name, { samples: [] }]))
  const stages = new Map<ContenderName, Stage>()
  const rounds = Math.max(1, Math.round(scenario.rounds * Math.min(1, setup.effort * 2)))
  for (let round = 0; round < rounds; round++) {
    for (const [name, record] of rotate([...records], round)) {
      if (record.ended !== undefined) continue
      const stage = stages.get(name) ?? new Stage(name, scenario.name, setup)
      stages.set(name, stage)
      const reply = await stage.round()
      if ('samples' in reply) record.samples.push(reply.samples)
      else record.ended = reply
      if (scenario.alone === true || record.ended !== undefined) {
        await stage.end()
        stages.delete(name)
      }
    }
  }
  await Promise.all([...stages.values()].map((stage) => stage.end()))
  const cases = scenario.cases.map((name) => caseOf(name, names, scenario, records))
  const { title, does, note, unit, steps } = scenario
  return {
    name: scenario.name,
    title,
    does,
    unit,
    ...(note === undefined ? {} : { note }),
    ...(steps === undefined ? {} : { steps }),
    cases,
    targets: scenario.targets?.(cases) ?? [],
  }
}

function caseOf(
  caseName: string,
  names: readonly ContenderName[],
  scenario: Scenario,
  records: ReadonlyMap<ContenderName, Progress>,
): CaseResult {
  const outcomes = names.map(
    (name) => [name, outcomeOf(caseName, name, scenario, records.get(name))] as const,
  )
  return { name: caseName, outcomes: Object.fromEntries(outcomes) }
}

function outcomeOf(
  caseName: string,
  name: ContenderName,
  { cannot, unit }: Scenario,
  record: Progress | undefined,
): Outcome {
  if (record === undefined) return { cannot: cannot?.[name] ?? 'left out' }
  if (record.ended !== undefined) return record.ended
  const samples = record.samples.map((one) => one[caseName] ?? 'not measured')
  const reason = samples.find((one) => typeof one === 'string')
  if (reason !== undefined) return { cannot: reason }
  const rounds = samples.filter((one): one is readonly number[] => typeof one !== 'string')
  return summarize(rounds, unit === 'commands/s' ? 'more' : 'less')
}

/** Another one first in each round, so that none always runs after the same one. */
function rotate<T>(items: readonly T[], by: number): readonly T[] {
  const start = items.length === 0 ? 0 : by % items.length
  return [...items.slice(start), ...items.slice(0, start)]
}
