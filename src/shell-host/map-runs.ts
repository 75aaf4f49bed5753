import { refuse } from '../sandbox/arguments.ts'
import { ProtocolError } from '../sandbox/errors.ts'
import { isSandboxError, type KnownSandboxError } from '../sandbox/known-error.ts'
import { optionsOf, within } from '../sandbox/options-of.ts'
import { reportable } from '../sandbox/report-hint.ts'
import type { ExecutionResult } from '../sandbox/results.ts'
import { kindOf } from '../sandbox/show-value.ts'
import { RequestSource, type Requests } from './request-source.ts'

/** How many requests run at once, and in which order results come. */
export interface MapOptions {
  /**
   * Requests that have begun and whose result the consumer has not taken, at most.
   *
   * @default 8
   */
  readonly concurrency?: number | undefined
  /**
   * Whether results come in the order of their requests, or as they are ready.
   *
   * @default true
   */
  readonly ordered?: boolean | undefined
}

/** How one request of a map ended: with its result, or with the error that its run rejected with. */
export type MapResult<Reason = KnownSandboxError> =
  | {
      /** The number of the request, from 0. */
      readonly index: number
      /** Its command ran, whatever its exit code. */
      readonly status: 'fulfilled'
      /** What the command left behind. */
      readonly value: ExecutionResult
    }
  | {
      /** The number of the request, from 0. */
      readonly index: number
      /** There is no result. */
      readonly status: 'rejected'
      /** What the run rejected with. */
      readonly reason: Reason
    }

type Run<Request> = (request: Request, signal: AbortSignal) => Promise<ExecutionResult>

/** Every default of a map, in one place. */
const mapDefaults = { concurrency: 8, ordered: true } as const

/**
 * Runs requests, `concurrency` at a time, no faster than their results are taken. When the consumer stops, the runs
 * under way are aborted. `toReason` makes the reason of a run that rejected. An error of the requests' own iteration ends the map after the results of the runs under way.
 */
export async function* mapRuns<Request, Reason>(
  requests: Requests<Request>,
  run: Run<Request>,
  toReason: (error: unknown) => Reason,
  options: MapOptions = {},
): AsyncGenerator<MapResult<Reason>, void> {
  const { concurrency, ordered } = resolve(options)
  const stop = new AbortController()
  const source = new RequestSource(requests)
  const running = new Map<number, Promise<MapResult<Reason>>>()
  let index = 0
  try {
    while (!source.over || running.size > 0) {
      const [first] = running.values()
      const result = first && (ordered ? first : Promise.race(running.values()))
      const mayBegin = !source.over && running.size < concurrency
      const news = await Promise.race([...(mayBegin ? [source.next()] : []), ...(result ? [result] : [])])
      if (news === undefined) continue
      if ('status' in news) {
        running.delete(news.index)
        yield news
      } else {
        running.set(index, settle(index, run(source.take(news), stop.signal), toReason))
        index += 1
      }
    }
    source.throwFailure()
  } finally {
    stop.abort()
    await Promise.all(running.values())
    await source.close()
  }
}

function settle<Reason>(
  index: number,
  run: Promise<ExecutionResult>,
  toReason: (error: unknown) => Reason,
): Promise<MapResult<Reason>> {
  return run.then(
    (value) => ({ index, status: 'fulfilled', value }),
    (reason: unknown) => ({ index, status: 'rejected', reason: toReason(reason) }),
  )
}

/** The reason of a run by a host. Such runs reject with errors of this package only; any other error is a bug of it. */
export function knownError(error: unknown): KnownSandboxError {
  if (isSandboxError(error)) return error
  return new ProtocolError(reportable('A run rejected with an error of no known class.'), { cause: error })
}

function resolve(options: MapOptions): { readonly concurrency: number; readonly ordered: boolean } {
  const { concurrency = mapDefaults.concurrency, ordered = mapDefaults.ordered } = optionsOf<MapOptions>(
    options,
    ['concurrency', 'ordered'],
  )
  if (typeof ordered !== 'boolean')
    throw refuse('ordered', `must be true or false, but is ${kindOf(ordered)}.`)
  const most = Number.MAX_SAFE_INTEGER
  return { concurrency: within('concurrency', concurrency, { least: 1, most, isWhole: true }), ordered }
}
