declare module 'comlink/dist/esm/node-adapter.mjs' {
  import type { Endpoint } from 'comlink'

  /** What Comlink uses of a port of Node's. */
  interface NodeEndpoint {
    postMessage(message: unknown, transfer?: readonly object[]): void
    on(event: 'message', listener: (message: unknown) => void): unknown
    off(event: 'message', listener: (message: unknown) => void): unknown
  }

  /** Comlink ships this adapter without types that a module resolver finds. */
  export default function nodeEndpoint(port: NodeEndpoint): Endpoint
}
