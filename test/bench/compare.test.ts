import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { bundleChildren } from '../../bench/bundle.ts'
import { commitOf } from '../../bench/compare/builds.ts'
import { comparisons } from '../../bench/compare/comparisons.ts'
import { estimate } from '../../bench/compare/confidence.ts'
import { runComparison } from '../../bench/compare/run-comparison.ts'
import {
  failuresIn,
  passes,
  strictBar,
  tableRow,
  tolerantBar,
  verdictOf,
} from '../../bench/compare/verdict.ts'
import { Random } from '../../soak/random.ts'

/** Ratios that are spread around `centre` by a factor of at most `1 + spread`. */
function ratiosAround(centre: number, spread: number, count: number, seed: number): readonly number[] {
  const random = new Random(seed, 'ratios')
  return Array.from({ length: count }, () => centre * (1 + spread) ** random.between(-1, 1))
}

it('gives equal ratios an interval without width', () => {
  expect(estimate([1.2, 1.2, 1.2])).toEqual({ ratio: 1.2, low: 1.2, high: 1.2 })
})

it('gives the same interval for the same ratios and seed', () => {
  const ratios = ratiosAround(1, 0.2, 15, 1)
  expect(estimate(ratios)).toEqual(estimate(ratios))
})

it('gives an interval that holds the true ratio in about 95 of 100 cases', () => {
  const held = Array.from({ length: 40 }, (_, seed) => estimate(ratiosAround(1.1, 0.1, 15, seed))).filter(
    ({ low, high }) => low <= 1.1 && 1.1 <= high,
  )
  expect(held.length).toBeGreaterThanOrEqual(34)
})

it('gives a narrower interval for more rounds', () => {
  const width = (count: number) => {
    const { low, high } = estimate(ratiosAround(1, 0.2, count, 3))
    return high - low
  }
  expect(width(100)).toBeLessThan(width(10) / 1.5)
})

it('is not moved by one disturbed round', () => {
  const { low, high } = estimate([...Array.from({ length: 14 }, () => 1), 9])
  expect([low, high]).toEqual([1, 1])
})

it('has a ratio above 1 where the build of now takes less time', () => {
  const verdict = verdictOf('execute', { before: [2, 4, 6], now: [1, 2, 3] })
  expect(verdict).toEqual({ name: 'execute', before: 4, now: 2, ratio: 2, low: 2, high: 2 })
  expect(tableRow(verdict, strictBar)).toBe(
    'execute                4 ms         2 ms   2.000    2.000 to 2.000',
  )
})

it('fails a comparison whose lower bound is below 0.95, and names it', () => {
  const slower = verdictOf('files', { before: [0.94, 0.94], now: [1, 1] })
  const asFast = verdictOf('open', { before: [0.95, 0.95], now: [1, 1] })
  const unmeasured = verdictOf('shared', { before: [], now: [] })
  expect([slower, asFast, unmeasured].map((one) => passes(one, strictBar))).toEqual([false, true, false])
  expect(failuresIn([slower, asFast], strictBar)).toEqual(['files: the lower bound 0.940 is below 0.95.'])
  expect(tableRow(slower, strictBar)).toMatch(/ below 0\.95$/)
  const noisy = verdictOf('open', { before: [0.8, 1, 1.2], now: [1, 1, 1] })
  expect(failuresIn([noisy], strictBar)).toEqual([
    'open: the lower bound 0.800 is below 0.95. The interval contains 1: use an idle machine or more --rounds.',
  ])
})

it('fails a comparison with a tolerance where it certainly takes longer than that', () => {
  const bar = tolerantBar(10)
  const longer = verdictOf('files', { before: [1, 1], now: [1.11, 1.11] })
  const noisy = verdictOf('open', { before: [0.8, 0.8, 1], now: [1, 1, 1] })
  const within = verdictOf('bash', { before: [1, 1], now: [1.09, 1.09] })
  const unmeasured = verdictOf('shared', { before: [], now: [] })
  expect([longer, noisy, within, unmeasured].map((one) => passes(one, bar))).toEqual([
    false,
    true,
    true,
    false,
  ])
  expect(failuresIn([longer, within], bar)).toEqual(['files: the upper bound 0.901 is below 0.909.'])
  expect(tableRow(longer, bar)).toMatch(/ below 0\.909$/)
})

it('has eleven comparisons', () => {
  expect(comparisons.map(({ name }) => name)).toEqual([
    'new-process',
    'open',
    'execute',
    'in-flight',
    'execute-many',
    'session',
    'files',
    'mirror',
    'bash',
    'shared',
    'process',
  ])
})

it('rejects a commit that git does not find', () => {
  expect(() => commitOf('no-such-commit')).toThrow('git finds no commit no-such-commit.')
  expect(() => commitOf('--help')).toThrow('git finds no commit --help.')
})

/** A build of the public API whose batches take so many milliseconds. */
function fakeBuild(directory: string, name: string, code: string): string {
  const file = join(directory, `${name}.js`)
  writeFileSync(
    file,
    `export class ShellHost {
      async open() { return { executeMany: async (commands) => { ${code}; return commands.map(() => ({})) } } }
      async close() {}
    }`,
  )
  return pathToFileURL(file).href
}

async function childrenIn(directory: string): Promise<string> {
  const children = join(directory, 'children')
  mkdirSync(children)
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }')
  await bundleChildren(['compare-child'], children)
  return children
}

it('measures two builds in turns, and reports a build that fails', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'bench-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const children = await childrenIn(directory)
  const wait = (time: number) => `await new Promise((resolve) => setTimeout(resolve, ${time}))`
  const slow = fakeBuild(directory, 'slow', wait(40))
  const fast = fakeBuild(directory, 'fast', wait(4))
  const broken = fakeBuild(directory, 'broken', "throw new Error('it is broken')")

  const times = await runComparison('execute-many', { before: slow, now: fast }, { children, rounds: 2 })
  expect(times.before).toHaveLength(2)
  // A sample is the time of one of 100 commands.
  expect(Math.min(...times.before)).toBeGreaterThanOrEqual(0.39)
  expect(verdictOf('execute-many', times).low).toBeGreaterThan(2)

  const failing = runComparison('execute-many', { before: slow, now: broken }, { children, rounds: 1 })
  await expect(failing).rejects.toThrow('The build now failed at execute-many: {"failed":"it is broken"}')
})
