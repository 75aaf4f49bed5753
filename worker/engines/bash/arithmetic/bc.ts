/** A decimal: `digits / 10 ** scale`. */
interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

export class BcError extends Error {}

const TOKEN =
  /\s*(?:([\dA-F]*\.[\dA-F]+|[\dA-F]+\.?)|([a-z]\w*)|(\*\*|[-+*/%^]=|==|!=|<=|>=|&&|\|\||[-+*/%^<>=()!])|(\S))/gy

const rescale = ({ digits, scale }: Decimal, to: number): bigint =>
  to >= scale ? digits * 10n ** BigInt(to - scale) : digits / 10n ** BigInt(scale - to)

const whole = (value: boolean): Decimal => ({ digits: value ? 1n : 0n, scale: 0 })

/** Runs the statements of a bc script; answers with what it prints. */
export function runBc(script: string, library: boolean): string {
  const calculator = new Calculator(library ? 20 : 0)
  const text = script
    .replaceAll(/\/\*.*?\*\//gs, ' ')
    .replaceAll(/#.*/g, '')
    .replaceAll('\\\n', '')
  return text
    .split(/[;\n]/)
    .filter((line) => line.trim() !== '')
    .map((line) => calculator.statement(line.trim()))
    .join('')
}

class Calculator {
  #scale: number
  #inputBase = 10
  #outputBase = 10
  readonly #variables = new Map<string, Decimal>()
  #tokens: string[] = []

  constructor(scale: number) {
    this.#scale = scale
  }

  statement(line: string): string {
    if (line === 'quit') return ''
    if (/^(define|for|while|if|print|auto|return|read)\b/.test(line) || /[{}"]/.test(line))
      throw new BcError(`not known here: ${line}`)
    this.#tokens = [...line.matchAll(TOKEN)].map(([, number, name, operator, other]) => {
      if (other !== undefined) throw new BcError(`syntax error: ${line}`)
      return number ?? name ?? operator ?? ''
    })
    const assigns = /^[a-z]\w*$/.test(this.#tokens[0] ?? '') && /^[-+*/%^]?=$/.test(this.#tokens[1] ?? '')
    const value = this.#assignment()
    if (this.#tokens.length > 0) throw new BcError(`syntax error: ${line}`)
    if (assigns) return ''
    const text = this.#outputBase === 10 ? print(value) : printIn(this.#outputBase, value)
    return `${text.replaceAll(LINE, '$&\\\n')}\n`
  }

  #assignment(): Decimal {
    const [name = '', operator = ''] = this.#tokens
    if (!/^[a-z]\w*$/.test(name) || !/^[-+*/%^]?=$/.test(operator)) return this.#or()
    this.#tokens.splice(0, 2)
    const right = this.#assignment()
    const value = operator === '=' ? right : this.#apply(operator.slice(0, -1), this.#variable(name), right)
    if (name === 'scale') this.#scale = Number(rescale(value, 0))
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
      if (!this.#take(')')) throw new BcError('syntax error: a parenthesis is not closed')
      return value
    }
    if (!/^[a-z]/.test(token)) throw new BcError(`syntax error at ${token === '' ? 'the end' : token}`)
    return this.#tokens[0] === '(' ? this.#call(token) : this.#variable(token)
  }

  #call(name: string): Decimal {
    this.#tokens.shift()
    const value = this.#assignment()
    if (!this.#take(')')) throw new BcError('syntax error: a parenthesis is not closed')
    if (name === 'sqrt') return squareRoot(value, Math.max(this.#scale, value.scale))
    if (name === 'length') return { digits: BigInt(String(value.digits).replace('-', '').length), scale: 0 }
    if (name === 'scale') return { digits: BigInt(value.scale), scale: 0 }
    throw new BcError(`${name}() is not known here`)
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
    if (right.digits === 0n) throw new BcError('divide by zero')
    const quotient = rescale(left, this.#scale + right.scale) / right.digits
    if (operator === '/') return { digits: quotient, scale: this.#scale }
    const kept = Math.max(this.#scale + right.scale, left.scale)
    const product = { digits: quotient * right.digits, scale: this.#scale + right.scale }
    return { digits: rescale(left, kept) - rescale(product, kept), scale: kept }
  }

  #raise(base: Decimal, exponent: Decimal): Decimal {
    const count = rescale(exponent, 0)
    if (count > 100_000n || count < -100_000n) throw new BcError('exponent too large')
    const size = count < 0n ? -count : count
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

function squareRoot(value: Decimal, scale: number): Decimal {
  if (value.digits < 0n) throw new BcError('square root of a negative number')
  const target = rescale(value, scale * 2)
  if (target < 2n) return { digits: target, scale }
  let guess = 1n << BigInt(Math.ceil(target.toString(2).length / 2))
  for (;;) {
    const next = (guess + target / guess) / 2n
    if (next >= guess) return { digits: guess, scale }
    guess = next
  }
}

/** What bc puts on a line of a number that goes on. */
const LINE = /.{68}(?=.)/g

const DIGITS = '0123456789ABCDEF'

function baseOf(name: string, value: Decimal): number {
  const base = Number(rescale(value, 0))
  if (base >= 2 && base <= 16) return base
  throw new BcError(`${name} from 2 to 16 is known here, not ${base}`)
}

/** A number as it is written. A digit that its base has not is the highest one of the base, but alone it is itself. */
function literalOf(token: string, base: number): Decimal {
  const [left = '', right = ''] = token.split('.')
  if (right !== '' && base !== 10) throw new BcError(`a fraction under ibase is not known here: ${token}`)
  const highest = left.length + right.length === 1 ? 15 : base - 1
  const digits = [...left, ...right].map((digit) => Math.min(DIGITS.indexOf(digit), highest))
  return {
    digits: digits.reduce((value, digit) => value * BigInt(base) + BigInt(digit), 0n),
    scale: right.length,
  }
}

/** A number in a base: as many digits behind the point as its decimal ones need. */
function printIn(base: number, { digits, scale }: Decimal): string {
  const one = 10n ** BigInt(scale)
  const size = digits < 0n ? -digits : digits
  const sign = digits < 0n ? '-' : ''
  const whole = size / one
  let text = whole === 0n && digits !== 0n ? '' : whole.toString(base).toUpperCase()
  if (scale === 0 || digits === 0n) return sign + text
  text += '.'
  let rest = size % one
  for (let weight = 1n; weight < one; weight *= BigInt(base)) {
    rest *= BigInt(base)
    text += DIGITS[Number(rest / one)] ?? ''
    rest %= one
  }
  return sign + text
}

function print({ digits, scale }: Decimal): string {
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
  const left = text.slice(0, text.length - scale).replace(/^0+(?=\d)/, '')
  const sign = digits < 0n ? '-' : ''
  if (scale === 0) return sign + left
  if (digits === 0n) return '0'
  return `${sign}${left === '0' ? '' : left}.${text.slice(text.length - scale)}`
}
