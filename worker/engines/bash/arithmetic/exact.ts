import { operate } from './operations.ts'

/** A whole number: a double where that is exact. */
export type Integer = number | bigint

/** The number that decimal or hexadecimal digits name, in 64 bits. */
export function integer(digits: string): Integer {
  const value = Number(digits)
  return Number.isSafeInteger(value) ? value : narrow(BigInt.asIntN(64, BigInt(digits.trim())))
}

/**
 * One binary operation in 64 bits.
 *
 * @throws ArithmeticError where it has no result
 */
export function compute(operator: string, left: Integer, right: Integer): Integer {
  if (typeof left === 'number' && typeof right === 'number') {
    const value = quick(operator, left, right)
    if (value !== undefined && Number.isSafeInteger(value)) return value
  }
  return narrow(operate(operator, BigInt(left), BigInt(right)))
}

/** What doubles give, where they may be exact. */
function quick(operator: string, left: number, right: number): number | undefined {
  switch (operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '<':
      return Number(left < right)
    case '<=':
      return Number(left <= right)
    case '>':
      return Number(left > right)
    case '>=':
      return Number(left >= right)
    case '==':
      return Number(left === right)
    case '!=':
      return Number(left !== right)
    default:
      return undefined
  }
}

function narrow(value: bigint): Integer {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}
