import { isPlain } from '../contract/plain.ts'
import { fieldPath } from './field-path.ts'
import { kindOf } from './show-value.ts'
import { suggest } from './suggest.ts'

/** What is wrong with an object that is given as options. */
export interface OptionFault {
  /** The option, or the options themselves. */
  readonly field: string
  readonly problem: string
}

/** A name that is no option, with the near one that was probably meant. `parent` is where the options are; empty for those of a call. */
export function findUnknownOption(
  options: object,
  known: readonly string[],
  parent = '',
): OptionFault | undefined {
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown === undefined) return undefined
  const name = fieldPath([unknown])
  const near = suggest(unknown, known)
  const meant = near === undefined ? '' : ` Did you mean ${near}?`
  return {
    field: parent === '' ? name : `${parent}${name.startsWith('[') ? '' : '.'}${name}`,
    problem: `is no option.${meant} Known here: ${known.join(', ')}.`,
  }
}

/** A thing of another kind in the place of options, such as a signal: its names would all be ignored. Objects of a class pass. */
export function findOtherThing(options: object, field: string): OptionFault | undefined {
  if (isPlain(options)) return undefined
  const tag = Object.prototype.toString.call(options)
  if (tag === '[object Object]') return undefined
  return { field, problem: `must be an object of options, but is ${nameOf(options, tag)}` }
}

/** What a value is, with a remedy where its place is known. */
export function nameOf(value: unknown, tag = Object.prototype.toString.call(value)): string {
  if (tag === '[object AbortSignal]') return 'an AbortSignal. Pass it as { signal }.'
  return `${kindOf(value)}.`
}

/** Options that are given to a call which has none. Other things may be: a call can be a listener. */
export function findNeedlessOption(given: readonly unknown[], remedy: string): OptionFault | undefined {
  const options = given.find((one) => typeof one === 'object' && one !== null && isPlain(one))
  const [name] = Object.keys(options ?? {})
  return name === undefined
    ? undefined
    : { field: fieldPath([name]), problem: `is no option of this call. ${remedy}` }
}
