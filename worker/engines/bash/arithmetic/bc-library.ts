import { BcLimit } from './bc-errors.ts'
import { type Decimal, rescale } from './decimal.ts'
import { FixedPoint } from './fixed-point.ts'

/** Digits that are computed behind those that are asked for. */
const GUARD = 20
/** The greatest size of a number whose `e(x)`, `s(x)` or `j(n, x)` is computed. */
const GREATEST = 10_000

type Step = () => void

/** A function of `bc -l`: digits of a scale. As in bc, what does not fit is cut off. */
interface LibraryFunction {
  readonly parameters: number
  /** @param step - called again and again; throws where the script must end. */
  run(values: readonly [Decimal, ...Decimal[]], scale: number, step: Step): bigint
}

/** The size of a number that a series is made of, without its fraction. @throws BcLimit */
function sizeOf(value: Decimal): number {
  const size = Math.abs(Number(rescale(value, 0)))
  if (size > GREATEST) throw new BcLimit(`the functions of -l take numbers to ${GREATEST} here`)
  return size
}

/** A number with the places that the scale and its own digits need, and some more. */
function fixed(value: Decimal, scale: number, step: Step, more = 0): readonly [FixedPoint, bigint] {
  const numbers = new FixedPoint(Math.max(scale, value.scale) + GUARD + more, step)
  return [numbers, numbers.of(value)]
}

/** An angle loses the digits of its whole turns. */
function fixedAngle(value: Decimal, scale: number, step: Step): readonly [FixedPoint, bigint] {
  return fixed(value, scale, step, String(value.digits).length)
}

const exponential: LibraryFunction = {
  parameters: 1,
  run([value], scale, step) {
    const numbers = new FixedPoint(scale + 2 * GUARD + sizeOf(value), step)
    const exponent = numbers.of(value)
    const power = numbers.power(exponent < 0n ? -exponent : exponent)
    return numbers.cut(exponent < 0n ? numbers.inverse(power) : power, scale)
  },
}

const logarithm: LibraryFunction = {
  parameters: 1,
  run([value], scale, step) {
    // bc answers so where there is no logarithm.
    if (value.digits <= 0n) return (1n - 10n ** BigInt(scale)) * 10n ** BigInt(scale)
    const [numbers, digits] = fixed(value, scale, step)
    return numbers.cut(numbers.logarithm(digits), scale)
  },
}

const sine: LibraryFunction = {
  parameters: 1,
  run([value], scale, step) {
    const [numbers, angle] = fixedAngle(value, scale, step)
    return numbers.cut(numbers.sine(angle), scale)
  },
}

const cosine: LibraryFunction = {
  parameters: 1,
  run([value], scale, step) {
    if (value.digits === 0n) return 10n ** BigInt(scale)
    const [numbers, angle] = fixedAngle(value, scale, step)
    return numbers.cut(numbers.cosine(angle), scale)
  },
}

const arctangent: LibraryFunction = {
  parameters: 1,
  run([value], scale, step) {
    const [numbers, digits] = fixed(value, scale, step)
    return numbers.cut(numbers.arctangent(digits), scale)
  },
}

const bessel: LibraryFunction = {
  parameters: 2,
  run([order, value = order], scale, step) {
    const size = sizeOf(order)
    const numbers = new FixedPoint(scale + 2 * GUARD + sizeOf(value) + size, step)
    const found = numbers.cut(numbers.bessel(BigInt(size), numbers.of(value)), scale)
    return order.digits < 0n && size % 2 === 1 ? -found : found
  },
}

/** By the names that bc gives them. */
export const LIBRARY: ReadonlyMap<string, LibraryFunction> = new Map([
  ['e', exponential],
  ['l', logarithm],
  ['s', sine],
  ['c', cosine],
  ['a', arctangent],
  ['j', bessel],
])
