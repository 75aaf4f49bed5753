import { HostCore } from './host-core.ts'
import type { PlaceSource } from './place-source.ts'
import { resolveHostOptions } from './resolve-options.ts'

let host: PlaceSource | undefined

/** The host of sandboxes that name none: one a process, made at first use. It never keeps the process alive. */
export function defaultHost(): PlaceSource {
  host ??= new HostCore(resolveHostOptions())
  return host
}
