import { ShellHost } from './shell-host.ts'

let host: ShellHost | undefined

/** The host of sandboxes that name none: one a process, made at first use. It never keeps the process alive. */
export function defaultHost(): ShellHost {
  host ??= new ShellHost()
  return host
}
