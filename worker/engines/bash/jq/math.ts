import type { Plain } from './interpreter.ts'
import { JqError, type Json, typeOf, writeJson } from './values.ts'

const number = (value: Json | undefined): number => {
  if (typeof value === 'number') return value
  throw new JqError(`${typeOf(value ?? null)} (${writeJson(value ?? null)}) number required`)
}

/** Half to even, as the floating point unit does. */
function roundEven(value: number): number {
  const floor = Math.floor(value)
  if (value - floor !== 0.5) return Math.round(value)
  return floor % 2 === 0 ? floor : floor + 1
}

/** Mantissa of at least a half and below one, and exponent. */
function frexp(value: number): [number, number] {
  if (value === 0 || !Number.isFinite(value)) return [value, 0]
  let exponent = Math.max(-1023, Math.floor(Math.log2(Math.abs(value))) + 1)
  let mantissa = value * 2 ** -exponent
  while (Math.abs(mantissa) < 0.5) {
    mantissa *= 2
    exponent -= 1
  }
  while (Math.abs(mantissa) >= 1) {
    mantissa /= 2
    exponent += 1
  }
  return [mantissa, exponent]
}

const ONE: Readonly<Record<string, (value: number) => number>> = {
  floor: Math.floor,
  ceil: Math.ceil,
  round: (value) => Math.sign(value) * Math.round(Math.abs(value)),
  trunc: Math.trunc,
  rint: roundEven,
  nearbyint: roundEven,
  sqrt: Math.sqrt,
  cbrt: Math.cbrt,
  fabs: Math.abs,
  abs: Math.abs,
  exp: Math.exp,
  exp2: (value) => 2 ** value,
  exp10: (value) => 10 ** value,
  expm1: Math.expm1,
  log: Math.log,
  log2: Math.log2,
  log10: Math.log10,
  log1p: Math.log1p,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  asinh: Math.asinh,
  acosh: Math.acosh,
  atanh: Math.atanh,
  significand: (value) => (value === 0 ? 0 : frexp(value)[0] * 2),
  logb: (value) => frexp(value)[1] - 1,
}

const TWO: Readonly<Record<string, (left: number, right: number) => number>> = {
  pow: (left, right) => left ** right,
  atan2: Math.atan2,
  fmod: (left, right) => left % right,
  fmin: Math.min,
  fmax: Math.max,
  ldexp: (left, right) => left * 2 ** right,
  scalb: (left, right) => left * 2 ** right,
  scalbln: (left, right) => left * 2 ** right,
  copysign: (left, right) => (right < 0 || Object.is(right, -0) ? -Math.abs(left) : Math.abs(left)),
  hypot: Math.hypot,
}

/** Functions of numbers. */
export const MATH: Readonly<Record<string, Plain>> = {
  ...Object.fromEntries(
    Object.entries(ONE).map(([name, act]): [string, Plain] => [`${name}/0`, (value) => act(number(value))]),
  ),
  ...Object.fromEntries(
    Object.entries(TWO).map(([name, act]): [string, Plain] => [
      `${name}/2`,
      (_, left, right) => act(number(left), number(right)),
    ]),
  ),
  'frexp/0': (value) => frexp(number(value)),
  'modf/0': (value) => [number(value) % 1, Math.trunc(number(value))],
  'fma/3': (_, x, y, z) => number(x) * number(y) + number(z),
  'isinfinite/0': (value) => Math.abs(number(value)) === Number.POSITIVE_INFINITY,
  'isnan/0': (value) => Number.isNaN(number(value)),
  'isnormal/0': (value) => Number.isFinite(number(value)) && Math.abs(number(value)) >= 2 ** -1022,
}
