import { isPlain } from '../contract/plain.ts'
import { reading, refuse, refuseFault } from './arguments.ts'
import { showValue } from './show-value.ts'
import { findUnknownOption, nameOf } from './unknown-option.ts'

/** A copy of a plain object of the caller's, each field read once. @throws SandboxConfigError where it is none, or has a name that is none of `known` */
export function fieldsOf<Fields extends object>(
  fields: Fields,
  field: string,
  known?: readonly (keyof Fields & string)[],
): Fields {
  return reading(field, () => {
    const plain = plainOf(fields, field)
    if (known !== undefined) refuseFault(findUnknownOption(plain, known))
    return { ...plain }
  })
}

function plainOf<Value>(value: Value, field: string): Value & object {
  if (typeof value === 'object' && value !== null && isPlain(value)) return value
  throw refuse(field, `must be a plain object, but is ${nameOf(value)}`)
}

/** The options as an object with no names but the known. @throws SandboxConfigError naming the option */
export function optionsOf<Options extends object>(
  options: unknown,
  known: readonly (keyof Options & string)[],
  parent = '',
): { readonly [Name in keyof Options]?: unknown } {
  return reading(parent || 'options', () => {
    const plain = plainOf(options, parent || 'options')
    refuseFault(findUnknownOption(plain, known, parent))
    return { ...plain }
  })
}

/** A number within its bounds. @throws SandboxConfigError naming the field */
export function within(
  field: string,
  value: unknown,
  range: {
    readonly least: number
    readonly most: number
    readonly unit?: string
    readonly isWhole?: boolean
  },
): number {
  const { least, most, unit, isWhole = false } = range
  const isInRange = typeof value === 'number' && value >= least && value <= most
  if (isInRange && (!isWhole || Number.isInteger(value))) return value
  const kind = isWhole ? 'a whole number' : 'a number'
  const of = unit === undefined ? '' : ` of ${unit}`
  throw refuse(field, `must be ${kind}${of} from ${least} to ${most}, but is ${showValue(value)}.`)
}
