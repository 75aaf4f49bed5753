import type { AwkArray } from './cells.ts'
import { AwkError } from './lexer.ts'
import type { Runtime } from './runtime.ts'
import { compareTexts, toNumber, type Value } from './values.ts'

type Pair = [key: string, value: Value]

const byNumber = (left: Value, right: Value) => toNumber(left) - toNumber(right)

/** Numbers come before texts. */
function byType(left: Value, right: Value, runtime: Runtime): number {
  const [a, b] = [typeof left === 'string', typeof right === 'string']
  if (a !== b) return a ? 1 : -1
  return a ? compareTexts(runtime.text(left), runtime.text(right)) : byNumber(left, right)
}

/** The elements of an array in an order of gawk such as `@val_num_desc`. */
export function sortedPairs(array: AwkArray, order: string, runtime: Runtime): Pair[] {
  const pairs = [...array]
  const read = /^@(ind|val)_(str|num|type)_(asc|desc)$/.exec(order)
  if (order === '@unsorted') return pairs
  if (read === null) throw new AwkError(`the order ${order} is not known here`)
  const [, what, how, way] = read
  const sign = way === 'desc' ? -1 : 1
  const keys = (left: Pair, right: Pair) =>
    (what === 'ind' && how === 'num' ? byNumber(left[0], right[0]) : 0) || compareTexts(left[0], right[0])
  const compare = (left: Pair, right: Pair): number => {
    if (what === 'ind') return keys(left, right)
    const [a, b] = [left[1], right[1]]
    const found =
      how === 'num'
        ? byNumber(a, b) || compareTexts(runtime.text(a), runtime.text(b))
        : how === 'str'
          ? compareTexts(runtime.text(a), runtime.text(b))
          : byType(a, b, runtime)
    return found || keys(left, right)
  }
  return pairs.sort((left, right) => sign * compare(left, right))
}
