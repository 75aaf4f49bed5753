// npm run bench -- [--only NAME]… [--quick] [--json FILE]
import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { StrandsShellSandbox } from '../src/index.ts'
import { type Figure, holds } from './scenario.ts'
import { cells } from './scenarios/cells.ts'
import { execute } from './scenarios/execute.ts'
import { files } from './scenarios/files.ts'
import { hosting } from './scenarios/hosting.ts'
import { inFlight } from './scenarios/in-flight.ts'
import { memory } from './scenarios/memory.ts'
import { mirror } from './scenarios/mirror.ts'
import { open } from './scenarios/open.ts'
import { sync } from './scenarios/sync.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
})
const scenarios = [memory, execute, inFlight, files, open, mirror, hosting, cells, sync]
const chosen = scenarios.filter(({ name }) => values.only?.includes(name) ?? true)
if (chosen.length === 0) {
  console.error(`No such scenario. There are: ${scenarios.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}

const machine = {
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: availableParallelism(),
  memoryGiB: Math.round(totalmem() / 2 ** 30),
}
console.log(
  `Node ${machine.node}, ${machine.platform}, ${machine.cores} cores (${machine.cpu}), ${machine.memoryGiB} GiB\n`,
)

// The engine is first loaded by the runtime, which sizes its thread stacks, and not by a bare baseline.
await (await StrandsShellSandbox.open()).close()

const figures: Figure[] = []
for (const { run } of chosen) {
  for (const figure of await run(values.quick ? 0.2 : 1)) {
    figures.push(figure)
    print(figure)
  }
}
if (values.json !== undefined)
  writeFileSync(values.json, `${JSON.stringify({ machine, figures }, null, 2)}\n`)

function print(figure: Figure): void {
  const { name, ours, baseline, unit, judged, target } = figure
  const measured = baseline === undefined ? '' : `${judged.toFixed(2)}x   `
  const against = baseline === undefined ? '' : ` against ${baseline.toFixed(3)} ${unit}`
  console.log(
    `${holds(figure) ? 'ok  ' : 'MISS'}  ${name.padEnd(48)} ${measured}${ours.toFixed(3)} ${unit}${against} (${limitOf(target)})`,
  )
}

function limitOf(target: Figure['target']): string {
  if (target === 'shown') return 'shown'
  return 'most' in target ? `at most ${target.most}` : `at least ${target.least}`
}
