import { appendFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { caseFactor, cases as casesOf } from '../../support/tier.ts'
import { takeCodes } from './documented.ts'
import { builtIns } from './pollution.ts'

const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31)
const report = process.env['FUZZ_REPORT']
const path = process.env['FUZZ_PATH']

/** Cases that do not all end alike. */
const enough = 30

/** One property of a target. */
export interface Fuzzed<T> {
  /** What is fuzzed, such as `config`. */
  readonly target: string
  /** What must hold, as a sentence. */
  readonly title: string
  /** Cases in the default tier; the full tier and `FUZZ_RUNS` multiply them. */
  readonly cases: number
  readonly input: fc.Arbitrary<T>
  /** Run before what is generated: one for each end that few cases have. */
  readonly examples?: readonly NoInfer<T>[]
  readonly holds: (value: T) => Promise<void> | void
  /**
   * How often the cases have ended in each way: a fuzzer whose cases all end alike finds nothing. Few cases may all end alike:
   * then it is not looked at.
   */
  readonly ends?: () => readonly number[]
  /** What must hold when all cases are done. */
  readonly after?: () => Promise<void> | void
}

/**
 * Runs a property as a test. A failure prints its seed and path: run it again with `FUZZ_SEED` and `FUZZ_PATH`. Where
 * `FUZZ_REPORT` names a file, a line of JSON is added to it for each property.
 */
export function fuzz<T>({ target, title, cases, input, examples = [], holds, ends, after }: Fuzzed<T>): void {
  const numRuns = casesOf(cases)
  test(
    `${target}: ${title}`,
    async () => {
      const before = builtIns()
      const start = performance.now()
      const property = fc.asyncProperty(input, async (value) => {
        await holds(value)
        expect(builtIns()).toBe(before)
      })
      const end = await fc.check(property, {
        seed,
        numRuns: numRuns + examples.length,
        examples: examples.map((example): [T] => [example]),
        ...(path === undefined ? {} : { path }),
      })
      const codes = takeCodes()
      if (report !== undefined) {
        const seconds = Math.round((performance.now() - start) / 100) / 10
        const { numRuns: done, failed } = end
        appendFileSync(
          report,
          `${JSON.stringify({ target, title, cases: done, seed, failed, seconds, codes })}\n`,
        )
      }
      if (end.failed) {
        throw new Error((await fc.asyncDefaultReportMessage(end)) ?? 'The property failed.', {
          cause: end.errorInstance,
        })
      }
      if (ends !== undefined && numRuns >= enough) expect(ends()).not.toContain(0)
      await after?.()
    },
    60_000 * Math.max(1, caseFactor),
  )
}
