import type { TerminalEvent, TerminalRequest } from '../../src/protocol/terminal-schemas.ts'
import { nextDelay } from './backoff.ts'
import { type ServiceClient, sandboxPath } from './service-client.ts'

const PROTOCOL = 'strands-shell.terminal.v1'

/** What is told of a terminal. */
interface TerminalSocketOptions {
  readonly client: ServiceClient
  /** The id of the sandbox. */
  readonly id: string
  readonly onEvent: (event: TerminalEvent) => void
  readonly onState: (isOpen: boolean) => void
}

/** The terminal of a sandbox, opened again when its connection is lost. */
export class TerminalSocket {
  readonly #options: TerminalSocketOptions
  readonly #end = new AbortController()
  #socket: WebSocket | undefined

  constructor(options: TerminalSocketOptions) {
    this.#options = options
    void this.#run()
  }

  /** Sends a request. @returns false where there is no connection: nothing was sent */
  send(request: TerminalRequest): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false
    this.#socket.send(JSON.stringify(request))
    return true
  }

  close(): void {
    this.#end.abort()
    this.#socket?.close()
  }

  async #run(): Promise<void> {
    const { onState } = this.#options
    const { signal } = this.#end
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      await this.#connection(() => {
        attempt = 0
        onState(true)
      })
      if (signal.aborted) return
      onState(false)
      await nextDelay(attempt, signal)
    }
  }

  /** Opens one connection. Resolves when it has ended. */
  #connection(opened: () => void): Promise<void> {
    const { client, id, onEvent } = this.#options
    const address = new URL(`${sandboxPath(id)}/terminal`, location.href)
    address.protocol = address.protocol.replace('http', 'ws')
    const socket = new WebSocket(address, [PROTOCOL, `bearer.${base64Url(client.token)}`])
    this.#socket = socket
    return new Promise((resolve) => {
      socket.addEventListener('open', opened)
      socket.addEventListener('message', ({ data }) => onEvent(JSON.parse(data)))
      socket.addEventListener('close', () => resolve())
    })
  }
}

function base64Url(text: string): string {
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
