import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { median, type Scenario } from '../scenario.ts'

const run = promisify(execFile)
const child = fileURLToPath(new URL('../rss-child.ts', import.meta.url))

/** Resident memory of an idle sandbox that has run one command, in the median of several processes. */
export const memory: Scenario = {
  name: 'memory',
  run: async (effort) => {
    const rounds: number[] = []
    for (let round = 0; round < 5; round++) {
      const count = Math.max(10, Math.ceil(40 * effort))
      const { stdout } = await run(process.execPath, ['--import', 'tsx', child, String(count)])
      rounds.push(Number(stdout))
    }
    const each = median(rounds)
    return [{ name: 'RSS of an idle sandbox', ours: each, unit: 'MiB', judged: each, target: { most: 9 } }]
  },
}
