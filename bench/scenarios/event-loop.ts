import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { ownFigure } from '../results.ts'
import { expectAnswer, type Scenario } from '../scenario.ts'
import { timed } from '../timed.ts'

const shells = 32
const late = 'p99 of the delay'
const latest = 'longest delay'
const done = 'until all are done'
const resolution = 5

/** Event-loop delay of the calling process while shells compute. */
export const eventLoop: Scenario = {
  name: 'event-loop',
  title: 'Event loop of the host',
  does: 'How late the event loop of the calling process is while 32 shells count to 4000 at once, and how long they take.',
  unit: 'ms',
  cases: [late, latest, done],
  rounds: 2,
  measure: async function* (contender, effort) {
    const source = await contender.start({ capacity: shells })
    const open = await Promise.all(Array.from({ length: shells }, () => source.open()))
    const target = Math.ceil(4000 * effort)
    const command = `i=0; while [ $i -lt ${target} ]; do i=$((i + 1)); done; echo $i`
    // An echo cannot count; it gives the figure of a host whose shells do nothing.
    const [asked, expected] = contender.name === 'echo' ? ['true', ''] : [command, `${target}\n`]
    try {
      while (true) {
        await sleep(100)
        const delay = monitorEventLoopDelay({ resolution })
        delay.enable()
        await sleep(4 * resolution)
        const spent = await timed(() =>
          Promise.all(open.map((shell) => expectAnswer(shell, asked, expected))),
        )
        await sleep(4 * resolution)
        delay.disable()
        const milliseconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolution)
        yield {
          [late]: [milliseconds(delay.percentile(99))],
          [latest]: [milliseconds(delay.max)],
          [done]: [spent],
        }
      }
    } finally {
      await Promise.all(open.map((shell) => shell.close()))
      await source.close()
    }
  },
  targets: (results) => [
    ownFigure(results, '32 compute: event-loop delay, p99', [late, 'ours-shared'], { most: 10 }),
    ownFigure(results, '32 compute: event-loop delay, maximum', [latest, 'ours-shared'], { most: 100 }),
  ],
}
