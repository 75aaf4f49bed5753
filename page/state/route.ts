import { signal } from '@preact/signals'

/** What of a session is shown. */
export const TABS = ['activity', 'terminal', 'changes'] as const
export type Tab = (typeof TABS)[number]

/** What the page shows beside the list. */
export type Route =
  | { readonly view: 'none' }
  | { readonly view: 'host' }
  | { readonly view: 'session'; readonly id: string; readonly tab: Tab }

/** What the address says. */
export const route = signal<Route>({ view: 'none' })

/** Follows the address from now on. */
export function followAddress(): void {
  const read = () => {
    route.value = parseRoute(location.hash)
  }
  addEventListener('hashchange', read)
  read()
}

/** The address of what is to be shown. */
export function hrefOf(shown: Route): string {
  if (shown.view === 'session') return `#/sessions/${encodeURIComponent(shown.id)}/${shown.tab}`
  return shown.view === 'host' ? '#/host' : '#/'
}

/** Shows something else. */
export function show(shown: Route): void {
  location.hash = hrefOf(shown)
}

/** What an address says; nothing where it is none of the page. */
function parseRoute(hash: string): Route {
  if (hash === '#/host') return { view: 'host' }
  const [, id, name] = /^#\/sessions\/([^/]+)(?:\/([a-z]+))?$/.exec(hash) ?? []
  if (id === undefined) return { view: 'none' }
  try {
    return {
      view: 'session',
      id: decodeURIComponent(id),
      tab: TABS.find((tab) => tab === name) ?? 'activity',
    }
  } catch {
    // It is no text.
    return { view: 'none' }
  }
}
