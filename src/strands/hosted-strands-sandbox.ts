import { inspect } from 'node:util'
import type { HostedSandbox } from '../hosted-sandbox/hosted-sandbox.ts'
import { StrandsSandbox } from './strands-sandbox.ts'

/** A sandbox for the Strands SDK that owns the sandbox of a host that it is made of. */
export abstract class HostedStrandsSandbox<Inner extends HostedSandbox> extends StrandsSandbox<Inner> {
  /** Ends the session; pending calls reject with `CLOSED`. Idempotent. */
  close(): Promise<void> {
    return this.inner.close()
  }

  /** The same as {@link HostedStrandsSandbox.close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** What `console.log` shows: no config, and so no secret. */
  [inspect.custom](): string {
    return inspect(this.inner)
  }
}
