import * as v from 'valibot'
import { kindOf, quote, showValue } from '../sandbox/show-value.ts'
import { suggest } from '../sandbox/suggest.ts'
import { findTextFault } from '../sandbox/text.ts'
import { isSnapshotObject, Refused } from './snapshot.ts'

/** What a field must be, in words. */
export interface Rule {
  /** Completes "must be …". */
  readonly expected: string
  /** What to do about it, as a sentence. */
  readonly remedy?: string
  /** Whether the value may be shown in a message. Secret ones give their type and length only. */
  readonly secret?: boolean
}

type Said = (issue: { readonly input: unknown }) => string

/** The message of a value that breaks a rule: what was expected, what came, what to do. */
export function say(rule: Rule): Said {
  return ({ input }) => sentence(rule, `is ${came(rule, input)}`)
}

/** A string a shell can carry, for which `accepts` holds. */
export function text(rule: Rule, accepts: (value: string) => boolean = () => true) {
  return v.pipe(
    v.string(say(rule)),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return
      const fault = findTextFault(dataset.value)
      if (fault !== undefined) addIssue({ message: sentence(rule, fault) })
      else if (!accepts(dataset.value)) addIssue({ message: say(rule)({ input: dataset.value }) })
    }),
  )
}

/** A number for which `accepts` holds. */
export function number(rule: Rule, accepts: (value: number) => boolean) {
  return v.pipe(v.number(say(rule)), v.check(accepts, say(rule)))
}

/** An integer from `least` to `most`. */
export function integer(rule: Rule, least: number, most: number) {
  return number(rule, (value) => Number.isSafeInteger(value) && value >= least && value <= most)
}

/** One of a few words. */
export function oneOf<const Options extends readonly [string, ...string[]]>(options: Options) {
  const [first, ...others] = options.map((option) => `'${option}'`)
  const last = others.pop()
  const expected = last === undefined ? `${first}` : `${[first, ...others].join(', ')} or ${last}`
  return v.picklist(options, say({ expected }))
}

/** A list. */
export function list<Item extends v.GenericSchema>(item: Item, expected: string) {
  return v.array(item, say({ expected, secret: true }))
}

/** Any object of a snapshot. */
export function plainObject(expected: string) {
  return v.custom<Record<string, unknown>>(isSnapshotObject, say({ expected, secret: true }))
}

/** An object with these fields and no others. */
export function fields<const Entries extends v.ObjectEntries>(entries: Entries, expected: string) {
  const known = Object.keys(entries)
  return v.pipe(
    plainObject(expected),
    v.strictObject(entries, (issue) => {
      if (issue.expected !== 'never') return 'is missing.'
      const near = suggest(String(issue.input), known)
      return `is not a known field. ${near === undefined ? `Known here: ${known.join(', ')}.` : `Did you mean ${quote(near)}?`}`
    }),
  )
}

/** The names of the fields that a schema of {@link fields} takes. */
export function namesOf({
  pipe: [, { entries }],
}: {
  readonly pipe: readonly [unknown, { readonly entries: v.ObjectEntries }]
}): readonly string[] {
  return Object.keys(entries)
}

function sentence({ expected, remedy }: Rule, fault: string): string {
  return `must be ${expected}, but ${fault}.${remedy === undefined ? '' : ` ${remedy}`}`
}

function came({ secret = false }: Rule, input: unknown): string {
  if (input instanceof Refused) return input.was
  return secret ? kindOf(input) : showValue(input)
}
