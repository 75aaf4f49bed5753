import { bundleChildren } from '../bundle.ts'
import { showSeconds } from '../print.ts'
import { Builds, commitOf } from './builds.ts'
import { comparisons } from './comparisons.ts'
import { runComparison } from './run-comparison.ts'
import {
  failuresIn,
  strictBar,
  tableHead,
  tableRow,
  tolerantBar,
  type Verdict,
  verdictOf,
} from './verdict.ts'

/** What to compare with, by which comparisons, and for how many rounds each. */
export interface CompareOptions {
  readonly ref: string
  readonly only: readonly string[]
  readonly rounds: number
  /** Percent; undefined: nothing may be slower by more than a twentieth, and that has to be certain. */
  readonly tolerance?: number
}

/** Compares the working tree with a commit and prints a table. False where a comparison does not pass. */
export async function compare({ ref, only, rounds, tolerance }: CompareOptions): Promise<boolean> {
  const start = performance.now()
  const bar = tolerance === undefined ? strictBar : tolerantBar(tolerance)
  exitOnSignals()
  const commit = commitOf(ref)
  using builds = new Builds()
  const urls = builds.make(commit)
  await bundleChildren(['compare-child', 'compare-answer-child'], builds.directory)
  console.log(`before: ${commit.hash.slice(0, 12)} (${commit.subject})\nnow: the working tree`)
  console.log(`Each build runs in a process of its own, in turns, ${rounds} rounds.`)
  for (const line of tableHead) console.log(line)
  const verdicts: Verdict[] = []
  for (const { name } of comparisons.filter((one) => only.includes(one.name))) {
    const times = await runComparison(name, urls, { children: builds.directory, rounds })
    const verdict = verdictOf(name, times)
    verdicts.push(verdict)
    console.log(tableRow(verdict, bar))
  }
  const failures = failuresIn(verdicts, bar)
  console.log(`\n${[...failures, showSeconds(performance.now() - start)].join('\n')}`)
  return failures.length === 0
}

/** A signal ends the process through its exit handlers, so that nothing temporary is left. */
function exitOnSignals(): void {
  for (const [signal, code] of [
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    process.once(signal, () => process.exit(code))
}
