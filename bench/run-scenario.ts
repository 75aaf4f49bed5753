import { type ContenderName, contenderNames } from './contenders/contender.ts'
import { ADDON_VARIABLE } from './contenders/raw.ts'
import type { CaseResult, Outcome, ScenarioResult } from './results.ts'
import type { Samples, Scenario } from './scenario.ts'
import { type RoundReply, Stage } from './stage.ts'
import { summarize } from './statistics.ts'

/** What all child processes of a run have in common. */
export interface RunSetup {
  /** The directory of the bundled children. */
  readonly children: string
  /** The file of the engine's addon. */
  readonly addon: string
  /** Scales the length of every measurement: 1 in a full run. */
  readonly effort: number
}

/** The samples of a contender so far. */
interface Progress {
  readonly samples: Samples[]
  /** Why there are no more rounds of it. */
  ended?: Exclude<RoundReply, { samples: Samples }>
}

/** Measures all contenders at one scenario, in turns. */
export async function runScenario(
  scenario: Scenario,
  setup: RunSetup,
  names: readonly ContenderName[] = contenderNames,
): Promise<ScenarioResult> {
  const entered = names.filter((name) => scenario.cannot?.[name] === undefined)
  const records = new Map<ContenderName, Progress>(entered.map((name) => [name, { samples: [] }]))
  const stages = new Map<ContenderName, Stage>()
  const rounds = Math.max(1, Math.round(scenario.rounds * Math.min(1, setup.effort * 2)))
  for (let round = 0; round < rounds; round++) {
    for (const [name, record] of rotate([...records], round)) {
      if (record.ended !== undefined) continue
      const stage = stages.get(name) ?? startStage(name, scenario, setup)
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

function startStage(name: ContenderName, scenario: Scenario, { children, addon, effort }: RunSetup): Stage {
  return new Stage({
    file: `${children}/stage-child.js`,
    args: [name, scenario.name, String(effort)],
    // Contenders print panics there that are part of what is measured.
    stderr: 'ignore',
    // The raw engine gets the stacks that ours gives it, so that it survives the same commands.
    ...(name === 'raw' ? { env: { [ADDON_VARIABLE]: addon, RUST_MIN_STACK: String(2 ** 30) } } : {}),
  })
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

/** Moves the first `by` items to the end, so that another contender is first in each round. */
function rotate<T>(items: readonly T[], by: number): readonly T[] {
  const start = items.length === 0 ? 0 : by % items.length
  return [...items.slice(start), ...items.slice(0, start)]
}
