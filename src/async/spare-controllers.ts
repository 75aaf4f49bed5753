import { watchSignal } from './watch-signal.ts'

/** Spare ones that are kept, at most. */
const most = 256

const spare: AbortController[] = []

/** A controller that is not aborted. To make one, and to have its signal watched first, takes a good part of a short call. */
export function takeController(): AbortController {
  const kept = spare.pop()
  if (kept !== undefined) return kept
  const made = new AbortController()
  // With one watcher that stays, those of calls add no listener to the signal and take none away.
  watchSignal(made.signal, () => undefined)
  return made
}

/** Gives a controller back that nobody watches or aborts any more. */
export function giveBackController(controller: AbortController): void {
  if (!controller.signal.aborted && spare.length < most) spare.push(controller)
}
