import type { Sandbox } from '../sandbox/sandbox.ts'

const turns = new WeakMap<Sandbox, Promise<unknown>>()

/**
 * Does the edits of a sandbox one after another: agents call tools in parallel, and an edit that reads while another writes
 * would undo it.
 */
export function inTurn<T>(sandbox: Sandbox, work: () => Promise<T>): Promise<T> {
  const before = turns.get(sandbox) ?? Promise.resolve()
  const result = before.then(work)
  turns.set(
    sandbox,
    result.catch(() => undefined), // Its own caller is told.
  )
  return result
}
