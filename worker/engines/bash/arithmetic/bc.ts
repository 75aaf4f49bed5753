import { BcError, BcLimit, BcSyntaxError } from './bc-errors.ts'
import { LIBRARY } from './bc-library.ts'
import { bitsOf, type Decimal, rescale, squareRoot } from './decimal.ts'
import { inDecimal, literalOf, printIn } from './decimal-text.ts'

const TOKEN =
  /\s*(?:([\dA-F]*\.[\dA-F]+|[\dA-F]+\.?)|([a-z]\w*)|(\*\*|[-+*/%^]=|==|!=|<=|>=|&&|\|\||[-+*/%^<>=()!,])|(\S))/gy

const whole = (value: boolean): Decimal => ({ digits: value ? 1n : 0n, scale: 0 })

/**
 * Runs a bc script. A line that is not valid prints nothing but a message, and one that divides by zero what came before.
 *
 * @param library - whether there is the library of `bc -l`.
 * @param step - called again and again; throws where the script must end.
 * @throws BcLimit
 */
export function runBc(
  script: string,
  library: boolean,
  step: () => void,
): { readonly stdout: string; readonly stderr: string } {
  const calculator = new Calculator(library, step)
  const lines = script
    .replaceAll(/\/\*.*?\*\//gs, ' ')
    .replaceAll(/#.*/g, '')
    .replaceAll('\\\n', '')
    .split('\n')
  let [stdout, stderr] = ['', '']
  for (const [at, line] of lines.entries()) {
    const statements = line.split(';').map((one) => one.trim())
    // It ends bc when it is read, before its line runs.
    if (statements.includes('quit')) break
    let printed = ''
    try {
      for (const statement of statements) if (statement !== '') printed += calculator.statement(statement)
    } catch (error) {
      if (!(error instanceof BcError || error instanceof RangeError)) throw error
      const isInvalid = error instanceof BcSyntaxError
      if (isInvalid) printed = ''
      stderr += `${isInvalid ? `(standard_in) ${at + 1}` : 'Runtime error'}: ${error.message}\n`
    }
    stdout += printed
  }
  return { stdout, stderr }
}

class Calculator {
  #scale: number
  #inputBase = 10
  #outputBase = 10
  readonly #variables = new Map<string, Decimal>()
  #tokens: string[] = []
  readonly #library: boolean
  readonly #step: () => void

  constructor(library: boolean, step: () => void) {
    this.#scale = library ? 20 : 0
    this.#library = library
    this.#step = step
  }

  statement(line: string): string {
    this.#step()
    if (/^(define|for|while|if|print|auto|return|read|halt)\b/.test(line) || /[{}"[]/.test(line))
      throw new BcLimit(`statements of this kind are not available here: ${line}. Use awk`)
    this.#tokens = [...line.matchAll(TOKEN)].map(([, number, name, operator, other]) => {
      if (other !== undefined) throw new BcSyntaxError(`syntax error: ${line}`)
      return number ?? name ?? operator ?? ''
    })
    const assigns = /^[a-z]\w*$/.test(this.#tokens[0] ?? '') && /^[-+*/%^]?=$/.test(this.#tokens[1] ?? '')
    const value = this.#assignment()
    if (this.#tokens.length > 0) throw new BcSyntaxError(`syntax error: ${line}`)
    if (assigns) return ''
    const text = this.#outputBase === 10 ? inDecimal(value) : printIn(this.#outputBase, value)
    return `${text.replaceAll(LINE, '$&\\\n')}\n`
  }

  #assignment(): Decimal {
    const [name = '', operator = ''] = this.#tokens
    if (!/^[a-z]\w*$/.test(name) || !/^[-+*/%^]?=$/.test(operator)) return this.#or()
    this.#tokens.splice(0, 2)
    const right = this.#assignment()
    const value = operator === '=' ? right : this.#apply(operator.slice(0, -1), this.#variable(name), right)
    if (name === 'scale') this.#scale = scaleOf(value)
    else if (name === 'ibase') this.#inputBase = baseOf(name, value)
    else if (name === 'obase') this.#outputBase = baseOf(name, value)
    else this.#variables.set(name, value)
    return value
  }

  #or(): Decimal {
    let value = this.#and()
    while (this.#take('||')) value = whole([value, this.#and()].some(({ digits }) => digits !== 0n))
    return value
  }

  #and(): Decimal {
    let value = this.#comparison()
    while (this.#take('&&')) value = whole([value, this.#comparison()].every(({ digits }) => digits !== 0n))
    return value
  }

  #comparison(): Decimal {
    let value = this.#sum()
    while (/^(==|!=|<=|>=|<|>)$/.test(this.#tokens[0] ?? '')) {
      const operator = this.#tokens.shift() ?? ''
      const right = this.#sum()
      const scale = Math.max(value.scale, right.scale)
      const [a, b] = [rescale(value, scale), rescale(right, scale)]
      const results: Readonly<Record<string, boolean>> = {
        '==': a === b,
        '!=': a !== b,
        '<': a < b,
        '<=': a <= b,
        '>': a > b,
        '>=': a >= b,
      }
      value = whole(results[operator] === true)
    }
    return value
  }

  #sum(): Decimal {
    let value = this.#product()
    while (/^[-+]$/.test(this.#tokens[0] ?? ''))
      value = this.#apply(this.#tokens.shift() ?? '', value, this.#product())
    return value
  }

  #product(): Decimal {
    let value = this.#power()
    while (/^[*/%]$/.test(this.#tokens[0] ?? ''))
      value = this.#apply(this.#tokens.shift() ?? '', value, this.#power())
    return value
  }

  #power(): Decimal {
    const base = this.#unary()
    return this.#take('^') ? this.#apply('^', base, this.#power()) : base
  }

  #unary(): Decimal {
    if (this.#take('!')) return whole(this.#unary().digits === 0n)
    if (!this.#take('-')) return this.#primary()
    const { digits, scale } = this.#unary()
    return { digits: -digits, scale }
  }

  #primary(): Decimal {
    const token = this.#tokens.shift() ?? ''
    if (/^[\dA-F.]/.test(token)) return literalOf(token, this.#inputBase)
    if (token === '(') {
      const value = this.#assignment()
      if (!this.#take(')')) throw new BcSyntaxError('syntax error: a parenthesis is not closed')
      return value
    }
    if (!/^[a-z]/.test(token)) throw new BcSyntaxError(`syntax error at ${token === '' ? 'the end' : token}`)
    return this.#tokens[0] === '(' ? this.#call(token) : this.#variable(token)
  }

  #call(name: string): Decimal {
    const [value, ...more] = this.#arguments()
    const library = this.#library ? LIBRARY.get(name) : undefined
    if (library !== undefined) {
      if (more.length !== library.parameters - 1) throw new BcError('Parameter number mismatch')
      return { digits: library.run([value, ...more], this.#scale, this.#step), scale: this.#scale }
    }
    if (more.length > 0) throw new BcSyntaxError('syntax error')
    if (name === 'sqrt') {
      if (value.digits < 0n) throw new BcError('Square root of a negative number')
      const scale = Math.max(this.#scale, value.scale)
      return { digits: squareRoot(rescale(value, scale * 2)), scale }
    }
    if (name === 'length') return { digits: BigInt(String(value.digits).replace('-', '').length), scale: 0 }
    if (name === 'scale') return { digits: BigInt(value.scale), scale: 0 }
    throw new BcError(`Function ${name} not defined.`)
  }

  #arguments(): [Decimal, ...Decimal[]] {
    this.#tokens.shift()
    const values: [Decimal, ...Decimal[]] = [this.#assignment()]
    while (this.#take(',')) values.push(this.#assignment())
    if (!this.#take(')')) throw new BcSyntaxError('syntax error: a parenthesis is not closed')
    return values
  }

  #variable(name: string): Decimal {
    const own = { scale: this.#scale, ibase: this.#inputBase, obase: this.#outputBase }[name]
    return own === undefined ? (this.#variables.get(name) ?? whole(false)) : { digits: BigInt(own), scale: 0 }
  }

  #apply(operator: string, left: Decimal, right: Decimal): Decimal {
    const scale = Math.max(left.scale, right.scale)
    if (operator === '+') return { digits: rescale(left, scale) + rescale(right, scale), scale }
    if (operator === '-') return { digits: rescale(left, scale) - rescale(right, scale), scale }
    if (operator === '^') return this.#raise(left, right)
    if (operator === '*') {
      const full = left.scale + right.scale
      const kept = Math.min(full, Math.max(this.#scale, scale))
      return { digits: rescale({ digits: left.digits * right.digits, scale: full }, kept), scale: kept }
    }
    if (right.digits === 0n) throw new BcError('Divide by zero')
    const quotient = rescale(left, this.#scale + right.scale) / right.digits
    if (operator === '/') return { digits: quotient, scale: this.#scale }
    const kept = Math.max(this.#scale + right.scale, left.scale)
    const product = { digits: quotient * right.digits, scale: this.#scale + right.scale }
    return { digits: rescale(left, kept) - rescale(product, kept), scale: kept }
  }

  #raise(base: Decimal, exponent: Decimal): Decimal {
    const count = rescale(exponent, 0)
    if (count > 100_000n || count < -100_000n) throw new BcLimit('exponents to 100000 are available here')
    const size = count < 0n ? -count : count
    if (bitsOf(base.digits) * Number(size) > GREATEST_BITS) throw new BcLimit('the power has too many digits')
    const full = { digits: base.digits ** size, scale: base.scale * Number(size) }
    if (count < 0n) return this.#apply('/', whole(true), full)
    const scale = Math.min(full.scale, Math.max(this.#scale, base.scale))
    return { digits: rescale(full, scale), scale }
  }

  #take(token: string): boolean {
    if (this.#tokens[0] !== token) return false
    this.#tokens.shift()
    return true
  }
}

/** What bc puts on a line of a number that goes on. */
const LINE = /.{68}(?=.)/g

/** Bits of a power: more take seconds. */
const GREATEST_BITS = 8_000_000
/** Digits behind the point that are computed: more take seconds for a division. */
const GREATEST_SCALE = 1_000_000

function scaleOf(value: Decimal): number {
  const scale = Number(rescale(value, 0))
  if (scale > GREATEST_SCALE) throw new BcLimit(`scale to ${GREATEST_SCALE} is available here, not ${scale}`)
  return Math.max(0, scale)
}

function baseOf(name: string, value: Decimal): number {
  const base = Number(rescale(value, 0))
  if (base >= 2 && base <= 16) return base
  throw new BcLimit(`${name} from 2 to 16 is available here, not ${base}`)
}
