import {
  compare,
  isArray,
  isObject,
  JqError,
  type Json,
  type JsonObject,
  typeOf,
  writeJson,
} from './values.ts'

/** More characters than a repeated text may have. */
const MOST_CHARACTERS = 16 * 1024 * 1024

const shown = (value: Json) => {
  const text = writeJson(value)
  return `${typeOf(value)} (${text.length > 11 ? `${text.slice(0, 10)}...` : text})`
}

const cannot = (left: Json, right: Json, what: string): never => {
  throw new JqError(`${shown(left)} and ${shown(right)} cannot be ${what}`)
}

/** One binary operation. */
export function operate(operator: string, left: Json, right: Json): Json {
  switch (operator) {
    case '==':
      return compare(left, right) === 0
    case '!=':
      return compare(left, right) !== 0
    case '<':
      return compare(left, right) < 0
    case '<=':
      return compare(left, right) <= 0
    case '>':
      return compare(left, right) > 0
    case '>=':
      return compare(left, right) >= 0
    case '+':
      return add(left, right)
    case '-':
      return subtract(left, right)
    case '*':
      return multiply(left, right)
    case '/':
      return divide(left, right)
    default:
      return remainder(left, right)
  }
}

function add(left: Json, right: Json): Json {
  if (left === null) return right
  if (right === null) return left
  if (typeof left === 'number' && typeof right === 'number') return left + right
  if (typeof left === 'string' && typeof right === 'string') return left + right
  if (isArray(left) && isArray(right)) return [...left, ...right]
  if (isObject(left) && isObject(right)) return new Map([...left, ...right])
  return cannot(left, right, 'added')
}

function subtract(left: Json, right: Json): Json {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  if (isArray(left) && isArray(right))
    return left.filter((item) => !right.some((other) => compare(item, other) === 0))
  return cannot(left, right, 'subtracted')
}

function multiply(left: Json, right: Json): Json {
  if (typeof left === 'number' && typeof right === 'number') return left * right
  if (typeof left === 'number' && typeof right === 'string') return multiply(right, left)
  if (typeof left === 'string' && typeof right === 'number') {
    if (right <= 0) return null
    const times = right < 1 ? 1 : Math.floor(right)
    if (left.length * times > MOST_CHARACTERS) throw new JqError('Repeat string result too long')
    return left.repeat(times)
  }
  if (isObject(left) && isObject(right)) return merge(left, right)
  return cannot(left, right, 'multiplied')
}

function merge(left: JsonObject, right: JsonObject): Json {
  const merged = new Map(left)
  for (const [key, value] of right) {
    const old = merged.get(key) ?? null
    merged.set(key, isObject(old) && isObject(value) ? merge(old, value) : value)
  }
  return merged
}

function divide(left: Json, right: Json): Json {
  if (typeof left === 'number' && typeof right === 'number') {
    if (right === 0) return cannot(left, right, 'divided because the divisor is zero')
    return left / right
  }
  if (typeof left === 'string' && typeof right === 'string') return split(left, right)
  return cannot(left, right, 'divided')
}

/** The pieces of a text between another one. */
export const split = (text: string, separator: string): string[] =>
  text === '' ? [] : separator === '' ? [...text] : text.split(separator)

const MOST_INTEGER = 2n ** 63n - 1n

const whole = (value: number): bigint => {
  if (value >= 2 ** 63) return MOST_INTEGER
  return value <= -(2 ** 63) ? -MOST_INTEGER - 1n : BigInt(Math.trunc(value))
}

function remainder(left: Json, right: Json): Json {
  if (typeof left !== 'number' || typeof right !== 'number') return cannot(left, right, 'divided')
  if (Number.isNaN(left) || Number.isNaN(right)) return Number.NaN
  const divisor = whole(right)
  if (divisor === 0n) return cannot(left, right, 'divided because the divisor is zero')
  const rest = whole(left < 0 ? -left : left) % (divisor < 0n ? -divisor : divisor)
  return Number(left < 0 ? -rest : rest)
}
