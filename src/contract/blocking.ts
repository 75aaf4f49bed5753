import type { LossData } from './errors.ts'
import type { CommandRequest, Outcome } from './shell-api.ts'

/** A call whose caller's thread blocks until it is answered. It is sent as a `BlockSignal`, in order with the other calls. */
export type BlockingCall =
  | { readonly name: 'run'; readonly request: CommandRequest }
  | { readonly name: 'readFile' | 'listFiles' | 'stat' | 'makeDirectory'; readonly path: string }
  | { readonly name: 'removeFile'; readonly path: string; readonly recursive: boolean }
  | { readonly name: 'move' | 'copy'; readonly from: string; readonly to: string }
  | {
      readonly name: 'writeFile' | 'appendFile'
      readonly path: string
      readonly content: Uint8Array<ArrayBuffer>
    }

/** What is posted for a blocked thread: a reply, that a call has begun and cannot be cancelled, or the loss of the session. */
export type BlockingNews =
  | { readonly id: number; readonly outcome: Outcome<unknown> }
  | { readonly id: number; readonly begun: true }
  | { readonly lost: LossData }

/** The shared 32-bit words beside the port: how many messages were posted, and how many calls of any kind have ended. */
export const BLOCKING_WORDS = { posted: 0, ended: 1 } as const
