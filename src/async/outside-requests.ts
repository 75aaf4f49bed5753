import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Runs a function in the async context this module was loaded in. What lives as long as a worker (ports,
 * threads, timers) is made under it, so that it does not pin the context of the request that happened to
 * open a sandbox.
 */
export const outsideRequests: <T>(work: () => T) => T = AsyncLocalStorage.snapshot()
