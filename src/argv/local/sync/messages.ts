import type { MessagePort } from 'node:worker_threads'
import type { ProcessEnd, ProcessSpec } from '../run-process.ts'

/** What the thread of `execSync` is started with. */
export interface SyncThreadData {
  /** Specs come in, ends go out. */
  readonly port: MessagePort
  /** Its only number is the count of ends that were posted. */
  readonly posted: Int32Array
}

/** What is posted for a spec. */
export type SyncReply =
  | { readonly ok: true; readonly end: ProcessEnd }
  | { readonly ok: false; readonly message: string }

/** A message to the thread. */
export type SyncRequest = ProcessSpec
