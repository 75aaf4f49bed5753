import { performance } from '../async/clock.ts'
import { interruptible } from '../async/interruptible.ts'
import type { ScriptAnalysis } from './analysis.ts'
import { CallAnalysis } from './analyze/call-analysis.ts'
import type { Approver, Policy, PolicyCall, Verdict } from './types.ts'
import { type CheckedVerdict, checkVerdict } from './verdict.ts'

/** What comes of a call. */
export type Decision =
  /** The call that runs: with another command where a policy said so. */
  | {
      readonly allow: true
      readonly call: PolicyCall
      /** Whether an approver had to say so. */
      readonly approved: boolean
    }
  | {
      readonly allow: false
      /** For the model: it has nothing of what a policy threw. */
      readonly reason: string
      /** A policy or approver threw, gave no verdict, or took too long; absent where one said no. */
      readonly failed?: true
      /** What it threw, for its host; absent where nothing was thrown. */
      readonly cause?: unknown
    }

/** How long a decision may take. */
export interface DecideOptions {
  /**
   * Seconds for each policy.
   *
   * @default 5
   */
  readonly timeout?: number | undefined
  /**
   * Seconds for each approver.
   *
   * @default 300
   */
  readonly askTimeout?: number | undefined
  /** Denies the call where it fires: nobody waits for it any more. */
  readonly signal?: AbortSignal | undefined
}

/** Commands that policies may put in place of others for one call. */
const MOST_REWRITES = 8

/**
 * Asks policies about a call, in their order. All must allow it, and what runs is what all of them have seen: where one puts
 * another command in place, all others are asked about that one from the first on. A policy is not asked about the very command
 * that it gave. Approvers are asked last, one after the other, when no policy denies the call.
 *
 * It denies, and never rejects, where a policy throws, gives something else than a verdict, or takes too long.
 */
export async function decide(
  policies: readonly Policy[],
  call: PolicyCall,
  options: DecideOptions = {},
): Promise<Decision> {
  let current = call
  let author: Policy | undefined
  for (let rewrites = 0; ; ) {
    const round = await ask(policies, current, author, options)
    if (round.run === undefined) return round.decision
    if (rewrites >= MOST_REWRITES) {
      return failed(
        'Policies put other commands in place of each other, again and again. The service has to change them.',
      )
    }
    rewrites++
    author = round.author
    current = { ...round.call, command: round.run }
  }
}

type Round =
  | { readonly decision: Decision; readonly run?: undefined }
  | {
      readonly run: string
      readonly author: Policy
      readonly call: PolicyCall & { readonly kind: 'command' }
    }

/** Asks all policies about one call, but the one that gave its command. */
async function ask(
  policies: readonly Policy[],
  call: PolicyCall,
  author: Policy | undefined,
  options: DecideOptions,
): Promise<Round> {
  Object.freeze(call)
  const analysis = new CallAnalysis(call)
  const approvers: Approver[] = []
  for (const policy of policies) {
    if (policy === author) continue
    const verdict = await verdictOf(policy, call, analysis, options)
    if (verdict === 'allow') continue
    if (verdict.run !== undefined) {
      if (call.kind !== 'command') return { decision: failed(NO_COMMAND) }
      if (verdict.run !== call.command) return { run: verdict.run, author: policy, call }
      continue
    }
    if (verdict.ask !== undefined) {
      approvers.push(verdict.ask)
      continue
    }
    return { decision: 'failed' in verdict ? failed(verdict.deny, verdict.cause) : denied(verdict.deny) }
  }
  for (const approver of approvers) {
    const refusal = await approve(approver, call, analysis, options)
    if (refusal !== undefined) return { decision: refusal }
  }
  return { decision: { allow: true, call, approved: approvers.length > 0 } }
}

const NO_COMMAND =
  'A policy gave a command to run in place of a call that is none. The service has to change the policy.'

function denied(reason: string): Decision {
  return { allow: false, reason }
}

function failed(reason: string, cause?: unknown): Decision {
  return { allow: false, reason, failed: true, ...(cause === undefined ? {} : { cause }) }
}

/** One that answers at once costs no timer. */
async function verdictOf(
  policy: Policy,
  call: PolicyCall,
  analysis: ScriptAnalysis,
  { timeout = 5, signal }: DecideOptions,
): Promise<CheckedVerdict> {
  if (signal?.aborted === true) return { deny: ABORTED }
  const start = performance.now()
  let given: Verdict | Promise<Verdict>
  try {
    given = policy(call, analysis)
    if (given !== 'allow' && isThenable(given)) {
      given = await interruptible(Promise.resolve(given), {
        seconds: timeout,
        signal,
        onTimeout: () => new Late(),
        onAbort: () => new Aborted(),
      })
    }
    if (performance.now() - start > timeout * 1000) throw new Late()
    return checkVerdict(given)
  } catch (error) {
    if (error instanceof Late)
      return { deny: `A policy took longer than its limit of ${timeout} s.`, failed: true }
    if (error instanceof Aborted) return { deny: ABORTED }
    return { deny: 'A policy failed, so the call does not run.', failed: true, cause: error }
  }
}

class Late extends Error {}
class Aborted extends Error {}

const ABORTED = 'The call was aborted before it was decided on.'

function isThenable(value: unknown): value is Promise<Verdict> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/** Undefined where the approver says true. */
async function approve(
  approver: Approver,
  call: PolicyCall,
  analysis: ScriptAnalysis,
  { askTimeout = 300, signal }: DecideOptions,
): Promise<Decision | undefined> {
  const waiting = new AbortController()
  try {
    const answer = approver({ call, analysis, signal: waiting.signal })
    const approved = await interruptible(Promise.resolve(answer), {
      seconds: askTimeout,
      signal,
      onTimeout: () => new Late(),
      onAbort: () => new Aborted(),
    })
    return approved === true ? undefined : denied('The call was not approved.')
  } catch (error) {
    if (error instanceof Late) return failed(`Nobody approved the call within ${askTimeout} s.`)
    if (error instanceof Aborted) return denied(ABORTED)
    return failed('The approval failed, so the call does not run.', error)
  } finally {
    waiting.abort()
  }
}
