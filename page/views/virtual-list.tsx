import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'

/** Rows that are there above and below what is seen. */
const spare = 8

/** A list of many rows of one height, of which those alone are in the document that are seen. */
export function VirtualList<Row>({
  label,
  rowHeight,
  rows,
  keyOf,
  chosen,
  onChoose,
  renderRow,
}: {
  readonly label: string
  /** Pixels. */
  readonly rowHeight: number
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** The key of the row that is chosen. */
  readonly chosen: string | undefined
  readonly onChoose: (key: string) => void
  readonly renderRow: (row: Row) => ComponentChildren
}) {
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  /** The row that is at the top. */
  const [top, setTop] = useState(0)
  const [height, setHeight] = useState(600)
  const [marked, setMarked] = useState(chosen)
  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => setHeight(element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const first = Math.max(0, top - spare)
  const last = Math.min(rows.length, top + Math.ceil(height / rowHeight) + 1 + spare)
  const at = rows.findIndex((row) => keyOf(row) === marked)

  const mark = (index: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))]
    if (row === undefined || box.current === null) return
    setMarked(keyOf(row))
    const rowTop = rows.indexOf(row) * rowHeight
    const { scrollTop, clientHeight } = box.current
    if (rowTop < scrollTop) box.current.scrollTop = rowTop
    else if (rowTop + rowHeight > scrollTop + clientHeight)
      box.current.scrollTop = rowTop + rowHeight - clientHeight
  }
  const page = Math.max(1, Math.floor(height / rowHeight) - 1)
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: Math.max(0, at - 1),
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: rows.length - 1,
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const to = moves[event.key]
    if (to !== undefined) mark(to)
    else if (event.key === 'Enter' && marked !== undefined && at !== -1) onChoose(marked)
    else return
    event.preventDefault()
  }
  return (
    <div
      ref={box}
      class="virtual-list"
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={at >= first && at < last ? `${id}-${at}` : undefined}
      onScroll={({ currentTarget }) => setTop(Math.floor(currentTarget.scrollTop / rowHeight))}
      onKeyDown={onKeyDown}
    >
      <div class="virtual-rows" style={{ height: `${rows.length * rowHeight}px` }}>
        {rows.slice(first, last).map((row, index) => {
          const key = keyOf(row)
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys, as a listbox does.
            // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and names its active option.
            <div
              key={key}
              id={`${id}-${first + index}`}
              role="option"
              class="virtual-row"
              aria-selected={key === chosen}
              aria-setsize={rows.length}
              aria-posinset={first + index + 1}
              data-marked={key === marked}
              style={{ height: `${rowHeight}px`, transform: `translateY(${(first + index) * rowHeight}px)` }}
              onClick={() => {
                setMarked(key)
                onChoose(key)
              }}
            >
              {renderRow(row)}
            </div>
          )
        })}
      </div>
    </div>
  )
}
