import { useEffect, useState } from 'preact/hooks'
import { hrefOf, route } from '../state/route.ts'
import { announce, type Workspace } from '../state/workspace.ts'
import { HostView } from './host-view.tsx'
import { NewSandbox } from './new-sandbox.tsx'
import { SandboxListView } from './sandbox-list.tsx'
import { SessionView } from './session-view.tsx'

const connectionText = {
  connecting: 'Connecting…',
  connected: 'Live',
  disconnected: 'Disconnected: trying again',
} as const

/** What a bearer of a token sees: the list of sandboxes, and beside it one of them, or the host. */
export function WorkspaceView({
  workspace,
  onSignOut,
}: {
  readonly workspace: Workspace
  readonly onSignOut: () => void
}) {
  const { self, mayOperate, figures, list } = workspace
  const [isOpening, setOpening] = useState(false)
  const shown = route.value
  const connection = list.connection.value
  useEffect(() => announce(connectionText[connection]), [connection])
  return (
    <div class="workspace" data-view={shown.view}>
      <header class="top">
        <h1>
          <a href={hrefOf({ view: 'none' })}>strands-shell-runtime</a>
        </h1>
        <nav aria-label="Views">
          <a href={hrefOf({ view: 'none' })} aria-current={shown.view === 'host' ? undefined : 'page'}>
            Sandboxes
          </a>
          {figures !== undefined && (
            <a href={hrefOf({ view: 'host' })} aria-current={shown.view === 'host' ? 'page' : undefined}>
              Host
            </a>
          )}
        </nav>
        <span class="connection" data-state={connection}>
          {connectionText[connection]}
        </span>
        <span class="who" title={`Scopes: ${self.scopes.join(', ')}`}>
          {self.name}
          <span class="role">{mayOperate ? 'operator' : 'read only'}</span>
        </span>
        <button type="button" class="quiet" onClick={onSignOut}>
          Forget the token
        </button>
      </header>
      {shown.view === 'host' && figures !== undefined ? (
        <HostView figures={figures} />
      ) : (
        <>
          <SandboxListView workspace={workspace} onOpen={mayOperate ? () => setOpening(true) : undefined} />
          {shown.view === 'session' ? (
            <SessionView key={shown.id} workspace={workspace} id={shown.id} tab={shown.tab} />
          ) : (
            <main class="empty">
              <p>Choose a sandbox to see what it does.</p>
              <p class="hint">
                <kbd>/</kbd> searches. <kbd>↑</kbd> <kbd>↓</kbd> move in the list, <kbd>Enter</kbd> opens.
              </p>
            </main>
          )}
        </>
      )}
      {isOpening && <NewSandbox workspace={workspace} onDone={() => setOpening(false)} />}
    </div>
  )
}
