import type { Sandbox } from '../sandbox/sandbox.ts'

const lastEdits = new WeakMap<Sandbox, Promise<unknown>>()

/**
 * Does the edits of a sandbox one after another: agents call tools in parallel, and an edit that reads while another writes
 * would undo it.
 */
export function oneEditAtATime<T>(sandbox: Sandbox, work: () => Promise<T>): Promise<T> {
  const before = lastEdits.get(sandbox) ?? Promise.resolve()
  const result = before.then(work)
  lastEdits.set(
    sandbox,
    result.catch(() => undefined), // Its own caller gets the error.
  )
  return result
}
