import { useEffect, useRef } from 'preact/hooks'
import { ORDERS, type Order, SHOWN, type Shown } from '../state/list-view.ts'
import { route, show } from '../state/route.ts'
import type { Workspace } from '../state/workspace.ts'
import { number } from '../text/format.ts'
import { SandboxRow } from './sandbox-row.tsx'
import { VirtualList } from './virtual-list.tsx'

const shownText: Readonly<Record<Shown, string>> = {
  all: 'All',
  running: 'Running',
  failed: 'Failed',
  away: 'Inactive',
}
const orderText: Readonly<Record<Order, string>> = {
  newest: 'Newest',
  active: 'Last used',
  name: 'Name',
}

/** The list of sandboxes, with what finds some of them. */
export function SandboxListView({
  workspace,
  onOpen,
}: {
  readonly workspace: Workspace
  /** Undefined where the token may open none. */
  readonly onOpen: (() => void) | undefined
}) {
  const { view, list } = workspace
  const search = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element && event.target.closest('input, select, textarea') !== null
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      search.current?.focus()
    }
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
  const rows = view.rows.value
  const counts = view.counts.value
  const shown = route.value
  const chosen = shown.view === 'session' ? shown.id : undefined
  return (
    <aside class="list" aria-label="Sandboxes">
      <div class="list-tools">
        <div class="list-find">
          <input
            ref={search}
            type="search"
            placeholder="Search ids, labels, commands"
            aria-label="Search sandboxes"
            value={view.query.value}
            onInput={({ currentTarget }) => {
              view.query.value = currentTarget.value
            }}
          />
          {onOpen !== undefined && (
            <button type="button" class="primary" onClick={onOpen}>
              New
            </button>
          )}
        </div>
        <div class="list-filter">
          <fieldset>
            <legend class="unseen">Which sandboxes are listed</legend>
            {SHOWN.map((each) => (
              <label key={each}>
                <input
                  type="radio"
                  name="shown"
                  checked={view.shown.value === each}
                  onChange={() => {
                    view.shown.value = each
                  }}
                />
                {shownText[each]} <span class="count">{number(counts[each])}</span>
              </label>
            ))}
          </fieldset>
          <select
            aria-label="Order of the list"
            value={view.order.value}
            onChange={({ currentTarget }) => {
              view.order.value = ORDERS.find((order) => order === currentTarget.value) ?? 'newest'
            }}
          >
            {ORDERS.map((order) => (
              <option key={order} value={order}>
                {orderText[order]}
              </option>
            ))}
          </select>
        </div>
      </div>
      {rows.length === 0 ? (
        <p class="list-none">
          {list.isRead.value ? noneText(counts.all, view.query.value) : 'Reading the list…'}
        </p>
      ) : (
        <VirtualList
          label="Sandboxes"
          rowHeight={58}
          rows={rows}
          keyOf={({ id }) => id}
          chosen={chosen}
          onChoose={(id) =>
            show({ view: 'session', id, tab: shown.view === 'session' ? shown.tab : 'activity' })
          }
          renderRow={(sandbox) => <SandboxRow sandbox={sandbox} />}
        />
      )}
    </aside>
  )
}

function noneText(all: number, query: string): string {
  if (all > 0 || query !== '') return 'No sandbox is like that.'
  return 'There is no sandbox yet. One that an agent opens appears here at once.'
}
