import * as v from 'valibot'
import { parseUrl } from '../allowlist/parse-url.ts'
import { HARDENING_CHOICES, ISOLATION_LEVELS, NETWORK_MODES } from '../contract/isolation.ts'
import { isRecord } from '../sandbox/is-record.ts'
import { showValue } from '../sandbox/show-value.ts'
import { hostDefaults } from './options.ts'

const longestSeconds = 86_400
/** Bytes: an empty cell holds about half of it. */
const leastCellMemory = 128 * 2 ** 20

type Said = (issue: { readonly input: unknown }) => string

function say(expected: string): Said {
  return ({ input }) => `expected ${expected}, got ${showValue(input)}.`
}

function count(least: number) {
  const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= least
  return v.custom<number>(isCount, say(`an integer of at least ${least}`))
}

const isSeconds = (value: unknown) => typeof value === 'number' && value > 0 && value <= longestSeconds
const seconds = v.custom<number>(isSeconds, say(`a number of seconds above 0 and at most ${longestSeconds}`))

function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return v.picklist(words, say(words.map((word) => `'${word}'`).join(', ')))
}

const fileUrl = v.pipe(
  v.unknown(),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }): URL => {
    const text = isRecord(value) ? value['href'] : value
    const url = typeof text === 'string' ? parseUrl(text) : undefined
    if (url?.protocol === 'file:') return url
    addIssue({ message: say('a file: URL')({ input: value }) })
    return NEVER
  }),
)

/** The schema of a host's options. Its output has every default, but what {@link derivePlaces} derives. */
export const hostOptionsSchema = v.pipe(
  v.object({
    isolation: v.optional(oneOf(ISOLATION_LEVELS), hostDefaults.isolation),
    maxSandboxes: v.optional(count(1), undefined),
    maxQueued: v.optional(count(0), hostDefaults.maxQueued),
    openTimeout: v.optional(seconds, hostDefaults.openTimeout),
    warm: v.optional(count(0), hostDefaults.warm),
    sandboxesPerWorker: v.optional(count(1), undefined),
    sandboxesPerCell: v.optional(count(1), undefined),
    maxCells: v.optional(count(1), undefined),
    maxCellMemory: v.optional(count(leastCellMemory), hostDefaults.maxCellMemory),
    cellBackoff: v.optional(seconds, hostDefaults.cellBackoff),
    network: v.optional(oneOf([...NETWORK_MODES, 'restricted']), undefined),
    hardening: v.optional(oneOf(HARDENING_CHOICES), hostDefaults.hardening),
    maxRunning: v.optional(count(1), hostDefaults.maxRunning),
    quotas: v.optional(v.unknown(), undefined),
    cellsFor: v.optional(v.unknown(), hostDefaults.cellsFor),
    idleTimeout: v.optional(seconds, undefined),
    maxLifetime: v.optional(seconds, undefined),
    hibernate: v.optional(v.unknown(), undefined),
    policy: v.optional(v.unknown(), undefined),
    onSaturated: v.optional(oneOf(['hibernate', 'evict-idle', 'wait', 'reject']), undefined),
    audit: v.optional(v.unknown(), undefined),
    maxRetired: v.optional(count(1), hostDefaults.maxRetired),
    maxIdleWorkers: v.optional(count(0), hostDefaults.maxIdleWorkers),
    idleWorkerTimeout: v.optional(seconds, hostDefaults.idleWorkerTimeout),
    workerUrl: v.optional(fileUrl, undefined),
    cellUrl: v.optional(fileUrl, undefined),
  }),
  v.forward(
    v.check(
      (options) =>
        options.network === undefined ||
        options.network === 'public' ||
        options.network === 'restricted' ||
        options.isolation === 'process',
      ({ input }) =>
        say(`'public' with isolation '${input.isolation}': only cells can be held to a policy`)({
          input: input.network,
        }),
    ),
    ['network'],
  ),
)
