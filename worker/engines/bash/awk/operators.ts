import { AwkError } from './lexer.ts'

/** Arithmetic of two numbers. */
export function compute(operator: string, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '/':
      if (right === 0) throw new AwkError('division by zero attempted')
      return left / right
    case '%':
      if (right === 0) throw new AwkError("division by zero attempted in `%'")
      return left % right
    default:
      return left ** right
  }
}
