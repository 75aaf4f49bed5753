import { lazyChart } from '../charts/lazy-chart.tsx'
import type { HostFigures, Reading } from '../state/host-figures.ts'
import { number } from '../text/format.ts'

/** One chart of the host. */
interface HostChart {
  readonly title: string
  readonly unit: string
  readonly lines: readonly { readonly label: string; readonly of: (reading: Reading) => number }[]
}

const charts: readonly HostChart[] = [
  {
    title: 'Calls',
    unit: 'a second',
    lines: [{ label: 'calls', of: ({ callsPerSecond }) => callsPerSecond }],
  },
  {
    title: 'Waiting',
    unit: 'now',
    lines: [
      { label: 'for a place', of: ({ waitingSandboxes }) => waitingSandboxes },
      { label: 'to run commands', of: ({ waitingCommands }) => waitingCommands },
    ],
  },
  {
    title: 'Places',
    unit: 'now',
    lines: [
      { label: 'sandboxes with a session', of: ({ leased }) => leased },
      { label: 'cells', of: ({ cells }) => cells },
      { label: 'threads', of: ({ workers }) => workers },
      { label: 'stored', of: ({ hibernated }) => hibernated },
    ],
  },
  {
    title: 'Losses',
    unit: 'since the reading before',
    lines: [
      { label: 'sessions lost', of: ({ lost }) => lost },
      { label: 'calls rejected', of: ({ errors }) => errors },
    ],
  },
]

const Chart = lazyChart()

/** The host: its figures over time. */
export function HostView({ figures }: { readonly figures: HostFigures }) {
  const readings = figures.readings.value
  const last = readings.at(-1)
  return (
    <main class="host" aria-label="Host">
      {last === undefined && <p class="hint">Reading…</p>}
      {charts.map(({ title, unit, lines }) => (
        <section key={title} class="chart" aria-label={title}>
          <h2>
            {title} <span class="hint">{unit}</span>
          </h2>
          <dl class="figures">
            {lines.map(({ label, of }, index) => (
              <div key={label} data-line={index}>
                <dt>{label}</dt>
                <dd>{last === undefined ? '–' : number(Math.round(of(last) * 10) / 10)}</dd>
              </div>
            ))}
          </dl>
          <Chart
            times={readings.map(({ time }) => time)}
            lines={lines.map(({ label, of }) => ({ label, values: readings.map(of) }))}
          />
        </section>
      ))}
    </main>
  )
}
