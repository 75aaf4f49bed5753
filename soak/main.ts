// npm run soak -- [--minutes N] [--shell bash|strands] [--level worker|shared|process|all] [--seed N] …
import { writeFileSync } from 'node:fs'
import { readOptions, usage } from './options.ts'
import { complaintOf, plotOf, summaryOf } from './report.ts'
import { runSoak } from './run-soak.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)
const complain = (text: string) => process.stderr.write(`${text}\n`)

const options = (() => {
  try {
    return readOptions(process.argv.slice(2))
  } catch (error) {
    complain(`${error instanceof Error ? error.message : String(error)}\n${usage}`)
    process.exit(2)
  }
})()
say(`seed ${options.seed}: replay with --seed ${options.seed}`)
let told = 0
const report = await runSoak(options, {
  onSample: ({ at, rss, calls, seen, closed }) => {
    if (at < told * 60) return
    told += 1
    say(`${Math.round(at)} s: ${calls} calls, ${closed} closed, ${seen} lost, ${Math.round(rss)} MiB`)
  },
})
say(summaryOf(report).join('\n'))
if (options.svg !== undefined) writeFileSync(options.svg, plotOf(report))
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(report)}\n`)
const complaint = complaintOf(report)
if (complaint !== undefined) complain(complaint)
process.exit(complaint === undefined ? 0 : 1)
