import { afterAll, beforeAll, expect, test } from 'vitest'
import { BundledChildren } from '../../bench/bundle.ts'
import type { ContenderName } from '../../bench/contenders/contender.ts'
import { summaryOf } from '../../bench/results.ts'
import { runScenario } from '../../bench/run-scenario.ts'
import { execute } from '../../bench/scenarios/execute.ts'
import { scenarios } from '../../bench/scenarios/index.ts'
import { recursion } from '../../bench/scenarios/recursion.ts'
import { resolveEngine } from '../../src/engines/strands/resolve-engine.ts'
import { isFull } from '../support/tier.ts'

const measured: readonly ContenderName[] = ['ours-worker', 'raw']
/** Scenario, case and contender for which there is a reason instead of figures. */
const reasons = {
  'open, warm place, raw': { cannot: 'keeps no places ready' },
  'memory, each of 1000, ours-worker': { cannot: 'left out: a thousand workers are over 8 GiB' },
}

let children: BundledChildren
let addon: string

beforeAll(async () => {
  children = await BundledChildren.build()
  addon = (await resolveEngine()).source.path
})

afterAll(() => children[Symbol.dispose]())

test.concurrent.for(isFull ? scenarios : [execute])(
  '$name gives figures for ours and for the raw engine in each case',
  async (scenario, { expect: expectHere }) => {
    const { cases } = await runScenario(
      scenario,
      { children: children.directory, addon, effort: 0.02 },
      measured,
    )
    const without = cases.flatMap((result) =>
      measured
        .filter((name) => summaryOf(result, name) === undefined)
        .map((name) => [`${scenario.name}, ${result.name}, ${name}`, result.outcomes[name]]),
    )
    const expected = Object.entries(reasons).filter(([key]) => key.startsWith(`${scenario.name}, `))
    expectHere(cases.map(({ name }) => name)).toEqual(scenario.cases)
    expectHere(Object.fromEntries(without)).toEqual(Object.fromEntries(expected))
  },
)

test('a peer that dies, and one that is not asked, are shown as such', async () => {
  const setup = { children: children.directory, addon, effort: 0.02 }
  const { cases } = await runScenario(recursion, setup, ['bashkit', 'echo', 'ours-worker'])
  const [result] = cases
  expect(result?.outcomes.bashkit).toEqual({ died: 'SIGSEGV' })
  expect(result?.outcomes.echo).toEqual({ cannot: 'is no shell' })
  expect(summaryOf(result, 'ours-worker')?.samples).toBeGreaterThan(0)
})
