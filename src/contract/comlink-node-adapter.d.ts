declare module 'comlink/dist/esm/node-adapter.mjs' {
  import type { MessagePort } from 'node:worker_threads'
  import type { Endpoint } from 'comlink'

  /** Comlink ships this adapter without types that a module resolver finds. */
  export default function nodeEndpoint(port: MessagePort): Endpoint
}
