// npm run cluster:chaos -- [--minutes N] [--sessions N] [--rate N] [--jobs N] …
import { readOptions, usage } from './options.ts'
import { runChaos } from './run-chaos.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)

const options = (() => {
  try {
    return readOptions(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}\n`)
    process.exit(2)
  }
})()
say(`seed ${options.seed}`)
try {
  const { calls, faults, sessions, fences, answered, found, jobs } = await runChaos(options, say)
  const ends = [...calls.ends].map(([code, count]) => `${count} ${code}`).join(', ')
  const seconds = [0.5, 0.99, 1].map((part) => `${calls.secondsOf(part).toFixed(2)} s`)
  say(`${faults.killed} nodes killed, ${faults.stopped} stopped, ${faults.started} started`)
  say(`${sessions} sessions, each has in the store what was answered`)
  say(`${fences} fences, each of one node; ${found} of ${answered} answered calls are in the audit logs`)
  say(`${calls.count} calls: ${ends}`)
  say(`half of them within ${seconds[0]}, 99% within ${seconds[1]}, all within ${seconds[2]}`)
  say(`${jobs} jobs, each with one result, which it still has`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  process.exitCode = 1
}
