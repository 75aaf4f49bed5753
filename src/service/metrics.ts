import type { EngineName } from '../contract/lease.ts'
import type { ShellHost } from '../shell-host/shell-host.ts'

/** The metrics of a host as Prometheus reads them. */
export class Metrics {
  readonly #host: ShellHost<EngineName>
  #read: Promise<() => Promise<string>> | undefined
  #stop: () => void = () => undefined

  /** Measures from now on, where `prom-client` is installed. */
  constructor(host: ShellHost<EngineName>) {
    this.#host = host
    this.#read = this.#start()
    this.#read.catch(() => undefined) // Who reads is told.
  }

  /** The text of this moment. @throws {MissingPeer} where `prom-client` is not installed */
  async text(): Promise<string> {
    const read = await this.#read
    return (await read?.()) ?? ''
  }

  stop(): void {
    const read = this.#read
    this.#read = undefined
    // It may be about to start.
    read?.then(
      () => this.#stop(),
      () => undefined, // It never started.
    )
  }

  async #start(): Promise<() => Promise<string>> {
    const [{ hostMetrics }, { Registry }] = await Promise.all([
      import('../prometheus/host-metrics.ts'),
      import('../prometheus/peer.ts'),
    ])
    const registry = new Registry()
    const { stop } = hostMetrics(this.#host, { registry })
    this.#stop = stop
    return () => registry.metrics()
  }
}
