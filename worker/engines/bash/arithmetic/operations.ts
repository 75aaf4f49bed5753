import { ArithmeticError } from './tokens.ts'

const truth = (value: boolean): bigint => (value ? 1n : 0n)

/** One binary operation in 64 bits, as C does it. */
export function operate(operator: string, left: bigint, right: bigint): bigint {
  switch (operator) {
    case '+':
      return wrap(left + right)
    case '-':
      return wrap(left - right)
    case '*':
      return wrap(left * right)
    case '/':
      if (right === 0n) throw new ArithmeticError('division by 0')
      return wrap(left / right)
    case '%':
      if (right === 0n) throw new ArithmeticError('division by 0')
      return left % right
    case '**':
      return power(left, right)
    case '<<':
      return wrap(left << (right & 63n))
    case '>>':
      return left >> (right & 63n)
    case '&':
      return left & right
    case '|':
      return left | right
    case '^':
      return left ^ right
    default:
      return compare(operator, left, right)
  }
}

function compare(operator: string, left: bigint, right: bigint): bigint {
  switch (operator) {
    case '<':
      return truth(left < right)
    case '<=':
      return truth(left <= right)
    case '>':
      return truth(left > right)
    case '>=':
      return truth(left >= right)
    case '==':
      return truth(left === right)
    case '!=':
      return truth(left !== right)
    default:
      throw new ArithmeticError(`syntax error: invalid arithmetic operator (error token is "${operator}")`)
  }
}

function power(base: bigint, exponent: bigint): bigint {
  if (exponent < 0n) throw new ArithmeticError('exponent less than 0')
  let result = 1n
  let square = base
  for (let left = exponent; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = wrap(result * square)
    square = wrap(square * square)
  }
  return result
}

const wrap = (value: bigint): bigint => BigInt.asIntN(64, value)
