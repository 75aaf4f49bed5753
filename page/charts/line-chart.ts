import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

/** What a chart shows. */
export interface ChartData {
  /** Seconds since the epoch, rising. */
  readonly times: readonly number[]
  readonly lines: readonly { readonly label: string; readonly values: readonly number[] }[]
}

/** Pixels. */
const height = 180
/** Seconds that are shown at least. */
const leastTime = 120
/** Pixels from one time to the next, at least: the longest of them, `12:00:00 AM`, has some 70. */
const timeSpace = 90
/** A time as an axis has it. Dates would stand below it, and be wider. */
const timeFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })

/** Lines over time, in the colours of the page. */
export class LineChart {
  readonly #box: HTMLElement
  readonly #labels: readonly string[]
  readonly #dark = matchMedia('(prefers-color-scheme: dark)')
  readonly #observer = new ResizeObserver(() => this.#plot.setSize({ width: this.#box.clientWidth, height }))
  readonly #recolour = () => this.#build()
  #data: UPlot.AlignedData
  #plot: UPlot

  constructor(box: HTMLElement, lines: ChartData['lines']) {
    this.#box = box
    this.#labels = lines.map(({ label }) => label)
    this.#data = [[], ...lines.map(() => [])]
    this.#plot = this.#made()
    this.#observer.observe(box)
    this.#dark.addEventListener('change', this.#recolour)
  }

  show({ times, lines }: ChartData): void {
    this.#data = [[...times], ...lines.map(({ values }) => [...values])]
    this.#plot.setData(this.#data)
  }

  close(): void {
    this.#observer.disconnect()
    this.#dark.removeEventListener('change', this.#recolour)
    this.#plot.destroy()
  }

  #build(): void {
    this.#plot.destroy()
    this.#plot = this.#made()
  }

  #made(): UPlot {
    const style = getComputedStyle(this.#box)
    const axis = {
      stroke: style.color,
      grid: { stroke: style.borderColor, width: 1 },
      ticks: { show: false },
      font: '11px system-ui, sans-serif',
    }
    return new UPlot(
      {
        width: this.#box.clientWidth,
        height,
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { range: (_, first, last) => [Math.min(first, last - leastTime), last] },
          y: { range: (_, __, most) => [0, Math.max(1, most * 1.1)] },
        },
        axes: [
          {
            ...axis,
            space: timeSpace,
            values: (_, times) => times.map((time) => timeFormat.format(time * 1000)),
          },
          { ...axis, size: 44 },
        ],
        series: [
          {},
          ...this.#labels.map((label, index) => ({
            label,
            width: 1.5,
            stroke: colourOf(this.#box, index),
            points: { show: false },
          })),
        ],
      },
      this.#data,
      this.#box,
    )
  }
}

/** The colour of a line, which the style sheet gives to the figure of it. */
function colourOf(box: HTMLElement, index: number): string {
  const figure = box.parentElement?.querySelector(`[data-line="${index}"]`)
  return getComputedStyle(figure ?? box).color
}
