/** A line of a chart: points in the order of their x, gaps left out. */
interface Line {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
}

/** One of the charts of a figure. */
export interface Chart {
  readonly title: string
  readonly unit?: string
  /** At most four. */
  readonly lines: readonly Line[]
}

/** Small charts side by side that share their x axis. */
export interface Figure {
  readonly title: string
  readonly subtitle?: string
  /** The x axis is in this unit. */
  readonly xUnit: string
  readonly charts: readonly Chart[]
  /** @default 3 */
  readonly columns?: number
}

const [width, height, gap, margin, head] = [300, 150, 24, 20, 64]
const inner = { left: 44, right: 10, top: 30, bottom: 22 }

/** Two sets of colours that are told apart by people who see few of them, too. */
const style = `
  .paper { fill: #fff } text { fill: #1f2328; font: 11px system-ui, sans-serif } .title { font-size: 16px; font-weight: 600 }
  .chart { font-size: 12px; font-weight: 600 } .quiet { fill: #59636e } .grid { stroke: #d8dee4; stroke-width: 1 }
  path { fill: none; stroke-width: 1.5; stroke-linejoin: round } .end { text-anchor: end } .middle { text-anchor: middle }
  .s0 { stroke: #0969da } .s1 { stroke: #bc4c00 } .s2 { stroke: #1a7f37 } .s3 { stroke: #8250df }
  .t0 { fill: #0969da } .t1 { fill: #bc4c00 } .t2 { fill: #1a7f37 } .t3 { fill: #8250df }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117 } text { fill: #e6edf3 } .quiet { fill: #9198a1 } .grid { stroke: #2f353d }
    .s0 { stroke: #58a6ff } .s1 { stroke: #f0883e } .s2 { stroke: #3fb950 } .s3 { stroke: #bc8cff }
    .t0 { fill: #58a6ff } .t1 { fill: #f0883e } .t2 { fill: #3fb950 } .t3 { fill: #bc8cff }
  }`

/** A figure as an SVG document, readable on light and dark pages. */
export function plotSvg({ title, subtitle = '', xUnit, charts, columns = 3 }: Figure): string {
  const rows = Math.ceil(charts.length / columns)
  const total = {
    width: 2 * margin + columns * width + (columns - 1) * gap,
    height: head + rows * height + Math.max(0, rows - 1) * gap + margin,
  }
  const drawn = charts.map((chart, index) => {
    const x = margin + (index % columns) * (width + gap)
    const y = head + Math.floor(index / columns) * (height + gap)
    return `<g transform="translate(${x} ${y})">\n${drawChart(chart, xUnit)}\n</g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${total.width} ${total.height}" role="img" aria-labelledby="title">
<title id="title">${escapeXml(title)}</title>
<style>${style}
</style>
<rect class="paper" width="${total.width}" height="${total.height}"/>
<text class="title" x="${margin}" y="28">${escapeXml(title)}</text>
<text class="quiet" x="${margin}" y="46">${escapeXml(subtitle)}</text>
${drawn.join('\n')}
</svg>
`
}

/** The least round number that is not below a value: 1, 2, 2.5 or 5 times a power of ten. */
export function roundUp(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= value * (1 - 1e-9)) ?? 10
  return step * power
}

function drawChart({ title, unit, lines }: Chart, xUnit: string): string {
  const points = lines.flatMap((line) => line.points)
  const most = {
    x: Math.max(0, ...points.map(([x]) => x)),
    y: roundUp(Math.max(0, ...points.map(([, y]) => y))),
  }
  const plot = { width: width - inner.left - inner.right, height: height - inner.top - inner.bottom }
  const xOf = (x: number) => fixed(inner.left + (most.x === 0 ? 0 : (x / most.x) * plot.width))
  const yOf = (y: number) => fixed(inner.top + plot.height - (y / most.y) * plot.height)
  const grid = [0, 0.5, 1].map((share) => {
    const y = yOf(share * most.y)
    return `<line class="grid" x1="${inner.left}" x2="${width - inner.right}" y1="${y}" y2="${y}"/>
<text class="quiet end" x="${inner.left - 6}" y="${fixed(y + 4)}">${label(share * most.y)}</text>`
  })
  const ticks = [0, 0.5, 1].map((share) => {
    const last = share === 1 ? ` ${xUnit}` : ''
    const anchor = share === 1 ? 'end' : share === 0 ? '' : 'middle'
    return `<text class="quiet ${anchor}" x="${xOf(share * most.x)}" y="${height - 6}">${label(share * most.x)}${last}</text>`
  })
  const paths = lines.map(({ points }, index) => {
    const d = points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${xOf(x)} ${yOf(y)}`).join('')
    return `<path class="s${index}" d="${d}"/>`
  })
  const names =
    lines.length > 1
      ? lines.map(({ name }, index) => `<tspan class="t${index}" dx="8">${escapeXml(name)}</tspan>`)
      : []
  const heading = `<tspan>${escapeXml(unit === undefined ? title : `${title}, ${unit}`)}</tspan>`
  return [
    ...grid,
    ...ticks,
    ...paths,
    `<text class="chart" x="0" y="16">${heading}${names.join('')}</text>`,
  ].join('\n')
}

function fixed(value: number): number {
  return Math.round(value * 10) / 10
}

function label(value: number): string {
  if (value >= 10_000) return `${fixed(value / 1000)}k`
  return String(value >= 10 ? Math.round(value) : Math.round(value * 100) / 100)
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
