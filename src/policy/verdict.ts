import { findTextFault } from '../sandbox/text.ts'
import type { Approver } from './types.ts'

/** A verdict that was checked: one of its parts. */
export type CheckedVerdict =
  | 'allow'
  | {
      readonly deny: string
      /** It is no verdict of the policy. */
      readonly failed?: true
      readonly cause?: unknown
      readonly run?: undefined
      readonly ask?: undefined
    }
  | { readonly run: string; readonly ask?: undefined }
  | { readonly ask: Approver; readonly run?: undefined }

/** Characters of a reason, at most: it is one of the outputs of a command. */
const MOST_REASON = 4096

/** Checks what a policy gave: what is no verdict denies. */
export function checkVerdict(given: unknown): CheckedVerdict {
  if (given === 'allow') return given
  if (typeof given !== 'object' || given === null) return noVerdict
  const { deny, run, ask }: { deny?: unknown; run?: unknown; ask?: unknown } = given
  const parts = [deny, run, ask].filter((part) => part !== undefined)
  if (parts.length !== 1) return noVerdict
  if (typeof deny === 'string') {
    return { deny: deny.trim() === '' ? 'A policy denies it.' : deny.slice(0, MOST_REASON) }
  }
  if (typeof run === 'string') return findTextFault(run) === undefined ? { run } : noVerdict
  return typeof ask === 'function' ? { ask: (request) => ask(request) } : noVerdict
}

const noVerdict = {
  failed: true,
  deny: 'A policy gave no verdict that is known, so the call does not run. The service has to change the policy.',
} as const
