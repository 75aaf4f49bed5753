const KEY = 'strands-shell-runtime.token'

/**
 * The token of this tab: the one in the fragment of the address (`#token=…`), which is taken out of the address at once, or the
 * one that was typed in before. It is kept until the tab is closed.
 */
export function takeToken(): string | undefined {
  const given = /^#token=([^&]+)/.exec(location.hash)?.[1]
  if (given !== undefined) {
    history.replaceState(null, '', location.pathname)
    keepToken(decodeURIComponent(given))
  }
  return sessionStorage.getItem(KEY) ?? undefined
}

/** Keeps a token in this tab. */
export function keepToken(token: string): void {
  sessionStorage.setItem(KEY, token)
}

/** Forgets the token. */
export function forgetToken(): void {
  sessionStorage.removeItem(KEY)
}
