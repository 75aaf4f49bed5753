import { useEffect, useRef, useState } from 'preact/hooks'
import type { ChartData, LineChart } from './line-chart.ts'

/** A chart whose library is loaded with the first one. */
export function lazyChart() {
  return function Chart({ times, lines }: ChartData) {
    const box = useRef<HTMLDivElement>(null)
    const [chart, setChart] = useState<LineChart | undefined>(undefined)
    useEffect(() => {
      let opened: LineChart | undefined
      let isShown = true
      const open = async () => {
        const module = await import('./line-chart.ts')
        if (!isShown || box.current === null) return
        opened = new module.LineChart(box.current, lines)
        setChart(opened)
      }
      void open()
      return () => {
        isShown = false
        opened?.close()
      }
    }, [])
    useEffect(() => chart?.show({ times, lines }), [chart, times, lines])
    // The figures beside it say the same in text.
    return <div class="plot" ref={box} aria-hidden="true" />
  }
}
