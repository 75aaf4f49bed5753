import { AsyncResource } from 'node:async_hooks'

/** Runs a function in the async context of the call that it was made under. It keeps that context from being collected. */
export type InCaller = <T>(work: () => T) => T

/** The context of the call that is made now. */
export function callerContext(): InCaller {
  // `AsyncLocalStorage.snapshot()` takes a hundred times as long in Node 20.
  const resource = new AsyncResource('StrandsShellCall')
  return (work) => resource.runInAsyncScope(work)
}
