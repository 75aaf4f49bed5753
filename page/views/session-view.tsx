import { useEffect, useState } from 'preact/hooks'
import type { SandboxData } from '../../src/protocol/sandbox-schemas.ts'
import { hrefOf, show, TABS, type Tab } from '../state/route.ts'
import { SessionFeed } from '../state/session-feed.ts'
import type { Workspace } from '../state/workspace.ts'
import { dateTime, memoryText } from '../text/format.ts'
import { visible } from '../text/visible.ts'
import { ActivityView } from './activity-view.tsx'
import { ChangesView } from './changes-view.tsx'
import { CloseSandbox } from './close-sandbox.tsx'
import { Labels } from './labels.tsx'
import { StateDot } from './sandbox-row.tsx'
import { TerminalView } from './terminal-view.tsx'

const tabText: Readonly<Record<Tab, string>> = {
  activity: 'Activity',
  terminal: 'Terminal',
  changes: 'Changes',
}

/** One sandbox: what it is, and what happens in it. */
export function SessionView({
  workspace,
  id,
  tab,
}: {
  readonly workspace: Workspace
  readonly id: string
  readonly tab: Tab
}) {
  const { client, list, mayOperate } = workspace
  const sandbox = list.sandboxes.value.get(id)
  const [feed, setFeed] = useState<SessionFeed | undefined>(undefined)
  const [isClosing, setClosing] = useState(false)
  const isThere = sandbox !== undefined
  useEffect(() => {
    if (!isThere) return undefined
    const opened = new SessionFeed(client, id)
    setFeed(opened)
    return () => {
      opened.close()
      setFeed(undefined)
    }
  }, [client, id, isThere])
  if (sandbox === undefined || feed === undefined) {
    return (
      <main class="empty">
        <p>
          {list.isRead.value && !isThere ? `There is no sandbox ${visible(id)}. It was closed.` : 'Reading…'}
        </p>
      </main>
    )
  }
  return (
    <main class="session" aria-label={`Sandbox ${id}`}>
      <header class="session-head">
        <a class="back" href={hrefOf({ view: 'none' })} aria-label="Back to the list">
          ←
        </a>
        <h2>{visible(id)}</h2>
        <StateDot sandbox={sandbox} />
        <Labels labels={sandbox.labels} />
        {mayOperate && (
          <button type="button" class="danger" onClick={() => setClosing(true)}>
            Close sandbox
          </button>
        )}
        <SandboxFacts sandbox={sandbox} />
      </header>
      <Tabs id={id} tab={tab} />
      <section class="panel" role="tabpanel" id="panel" aria-labelledby={`tab-${tab}`}>
        {tab === 'activity' && <ActivityView feed={feed} mayOperate={mayOperate} />}
        {tab === 'terminal' && <TerminalView feed={feed} mayOperate={mayOperate} />}
        {tab === 'changes' && <ChangesView feed={feed} client={client} mayOperate={mayOperate} />}
      </section>
      {isClosing && <CloseSandbox client={client} id={id} onDone={() => setClosing(false)} />}
    </main>
  )
}

/** What a sandbox is. */
function SandboxFacts({ sandbox }: { readonly sandbox: SandboxData }) {
  const { template, shell, isolation, generation, createdAt, memory } = sandbox
  const facts = [
    ['template', template],
    ['shell', shell],
    ['isolation', isolation],
    ['session', generation === 0 ? undefined : String(generation)],
    ['memory', memory === undefined ? undefined : memoryText(memory)],
    ['opened', dateTime(createdAt)],
  ] as const
  return (
    <dl class="facts">
      {facts.map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** Which part of a sandbox is shown. The arrow keys change it, as in every list of tabs. */
function Tabs({ id, tab }: { readonly id: string; readonly tab: Tab }) {
  const go = (to: Tab) => show({ view: 'session', id, tab: to })
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const to = TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length] ?? tab
    go(to)
    document.getElementById(`tab-${to}`)?.focus()
    event.preventDefault()
  }
  return (
    <div class="tabs" role="tablist" aria-label="Of this sandbox" onKeyDown={onKeyDown}>
      {TABS.map((each) => (
        <button
          key={each}
          type="button"
          role="tab"
          id={`tab-${each}`}
          aria-selected={each === tab}
          aria-controls="panel"
          tabIndex={each === tab ? 0 : -1}
          onClick={() => go(each)}
        >
          {tabText[each]}
        </button>
      ))}
    </div>
  )
}
