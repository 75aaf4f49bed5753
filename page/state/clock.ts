import { signal } from '@preact/signals'

/** Milliseconds since the epoch while the page is seen, to the second. */
export const now = signal(Date.now())
/** The same, to ten seconds: what many rows show. */
export const slowNow = signal(Date.now())

setInterval(() => {
  if (document.hidden) return
  now.value = Date.now()
  if (now.value - slowNow.value >= 10_000) slowNow.value = now.value
}, 1_000)
