import { charactersBefore, lengthOf, sliceOf } from '../text/characters.ts'
import type { Pattern } from '../text/pattern.ts'
import { strftime } from '../text/strftime.ts'
import type { AwkArray } from './cells.ts'
import { type Separator, splitText } from './fields.ts'
import { formatValues } from './format.ts'
import { AwkError } from './lexer.ts'
import { replace } from './replace.ts'
import type { Runtime } from './runtime.ts'
import { sortedPairs } from './sorting.ts'
import { fromInput, toNumber, UNSET, type Value } from './values.ts'

/** What a function got: values, and where the program has them. */
export interface BuiltinCall {
  readonly name: string
  readonly count: number
  value(at: number): Value
  /** A regular expression, or a text that is one. */
  pattern(at: number): Pattern
  array(at: number): AwkArray
  isArray(at: number): boolean
  isRegex(at: number): boolean
  assign(at: number, value: Value): void
}

type Builtin = (call: BuiltinCall, runtime: Runtime) => Value

const number = (call: BuiltinCall, at: number): number => toNumber(call.value(at))

/** A function of numbers. */
const math =
  (compute: (...values: number[]) => number): Builtin =>
  (call) =>
    compute(...Array.from({ length: call.count }, (_, at) => number(call, at)))

const bits = (compute: (left: bigint, right: bigint) => bigint): Builtin => {
  return (call) => {
    const values = Array.from({ length: call.count }, (_, at) => Math.trunc(number(call, at)))
    if (values.length < 2 || values.some((value) => value < 0))
      throw new AwkError(`${call.name}: takes two numbers that are not negative`)
    return Number(values.map(BigInt).reduce(compute) & 0x1fffffffffffffn)
  }
}

const text = (call: BuiltinCall, at: number, runtime: Runtime): string => runtime.text(call.value(at))

function splitter(call: BuiltinCall, at: number, runtime: Runtime): Separator {
  if (call.isRegex(at)) return { kind: 'pattern', pattern: call.pattern(at) }
  return runtime.separatorOf(
    call.count > at ? text(call, at, runtime) : runtime.text(runtime.global('FS').value),
  )
}

function fill(array: AwkArray, pieces: readonly string[], from = 1): void {
  array.clear()
  for (const [at, piece] of pieces.entries()) array.set(String(at + from), fromInput(piece))
}

function match(call: BuiltinCall, runtime: Runtime): Value {
  const subject = text(call, 0, runtime)
  const found = call.pattern(1).find(subject)
  const start = found === undefined ? 0 : charactersBefore(subject, found.index) + 1
  runtime.global('RSTART').value = start
  runtime.global('RLENGTH').value = found === undefined ? -1 : lengthOf(found.texts[0] ?? '')
  if (call.count > 2) {
    const array = call.array(2)
    array.clear()
    for (const [at, group] of (found?.texts ?? []).entries())
      if (group !== undefined) array.set(String(at), fromInput(group))
  }
  return start
}

const substitute = (which: 'all' | 1): Builtin => {
  return (call, runtime) => {
    const subject = call.count > 2 ? text(call, 2, runtime) : runtime.record.text
    const result = replace(subject, call.pattern(0), text(call, 1, runtime), which)
    if (result.count > 0) {
      if (call.count > 2) call.assign(2, result.text)
      else runtime.record.set(result.text)
    }
    return result.count
  }
}

function gensub(call: BuiltinCall, runtime: Runtime): Value {
  const how = text(call, 2, runtime)
  const subject = call.count > 3 ? text(call, 3, runtime) : runtime.record.text
  const which = /^[gG]/.test(how) ? 'all' : Math.max(1, Math.trunc(toNumber(how)))
  return replace(subject, call.pattern(0), text(call, 1, runtime), which, true).text
}

/** As gawk: fractions are cut off, and what begins before the first character begins there, with no less of it. */
function substr(call: BuiltinCall, runtime: Runtime): Value {
  const subject = text(call, 0, runtime)
  const from = Math.max(1, Math.trunc(number(call, 1)) || 1) - 1
  const length = call.count > 2 ? Math.trunc(number(call, 2)) : Number.POSITIVE_INFINITY
  if (!(length >= 1) || from === Number.POSITIVE_INFINITY) return ''
  return sliceOf(subject, from, Math.min(from + length, subject.length))
}

/** A generator with a state of its own for each program. */
class Random {
  #state = 0
  seed = 0

  set(seed: number): number {
    const before = this.seed
    this.seed = seed
    this.#state = Math.trunc(seed) | 0
    return before
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const randoms = new WeakMap<Runtime, Random>()
function random(runtime: Runtime): Random {
  const known = randoms.get(runtime) ?? new Random()
  randoms.set(runtime, known)
  return known
}

function mktime(call: BuiltinCall, runtime: Runtime): Value {
  const parts = text(call, 0, runtime).trim().split(/\s+/).map(Number)
  if (parts.length < 6 || parts.some(Number.isNaN)) return -1
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts
  return Math.floor(Date.UTC(year, month - 1, day, hour, minute, second) / 1000)
}

const sorter = (by: 'values' | 'keys'): Builtin => {
  return (call, runtime) => {
    const source = call.array(0)
    const target = call.count > 1 ? call.array(1) : source
    const how = call.count > 2 ? text(call, 2, runtime) : by === 'values' ? '@val_type_asc' : '@ind_str_asc'
    const pairs = sortedPairs(source, how, runtime)
    target.clear()
    for (const [at, [key, value]] of pairs.entries()) target.set(String(at + 1), by === 'keys' ? key : value)
    return pairs.length
  }
}

/** Digits with a base before them, as C writes them. */
function strtonum(value: Value, runtime: Runtime): number {
  if (typeof value === 'number') return value
  const given = runtime.text(value).trim()
  const based = /^([-+]?)(0[xX][0-9a-fA-F]+|0[0-7]+)(?![.\d])/.exec(given)
  if (based === null) return toNumber(value)
  const digits = based[2] ?? ''
  const size = /x/i.test(digits) ? Number(digits) : Number.parseInt(digits, 8)
  return based[1] === '-' ? -size : size
}

function typeOf(call: BuiltinCall): Value {
  if (call.isArray(0)) return 'array'
  if (call.isRegex(0)) return 'regexp'
  const value = call.value(0)
  if (value === UNSET) return 'untyped'
  return typeof value === 'string' ? 'string' : typeof value === 'number' ? 'number' : 'strnum'
}

/** All functions but those that wait for a file or a command. */
export const BUILTIN_FUNCTIONS: Readonly<Record<string, Builtin>> = {
  length: (call, runtime) => {
    if (call.count === 0) return lengthOf(runtime.record.text)
    return call.isArray(0) ? call.array(0).size : lengthOf(text(call, 0, runtime))
  },
  substr,
  index: (call, runtime) => {
    const subject = text(call, 0, runtime)
    const at = subject.indexOf(text(call, 1, runtime))
    return at < 0 ? 0 : charactersBefore(subject, at) + 1
  },
  split: (call, runtime) => {
    const { pieces, between } = splitText(text(call, 0, runtime), splitter(call, 2, runtime))
    fill(call.array(1), pieces)
    if (call.count > 3) fill(call.array(3), between)
    return pieces.length
  },
  patsplit: (call, runtime) => {
    const pattern =
      call.count > 2 ? call.pattern(2) : runtime.pattern(runtime.text(runtime.global('FPAT').value))
    const { pieces } = splitText(text(call, 0, runtime), { kind: 'fields', pattern })
    fill(call.array(1), pieces)
    return pieces.length
  },
  sub: substitute(1),
  gsub: substitute('all'),
  gensub,
  match,
  sprintf: (call, runtime) => {
    const values = Array.from({ length: call.count }, (_, at) => call.value(at))
    return formatValues(runtime.text(values[0] ?? ''), values.slice(1), (value) => runtime.text(value))
  },
  sin: math(Math.sin),
  cos: math(Math.cos),
  atan2: math((y, x) => Math.atan2(y, x)),
  exp: math(Math.exp),
  log: math(Math.log),
  sqrt: math(Math.sqrt),
  int: math(Math.trunc),
  rand: (_call, runtime) => random(runtime).next(),
  srand: (call, runtime) =>
    random(runtime).set(call.count > 0 ? number(call, 0) : Math.floor(Date.now() / 1000)),
  tolower: (call, runtime) => text(call, 0, runtime).toLowerCase(),
  toupper: (call, runtime) => text(call, 0, runtime).toUpperCase(),
  strftime: (call, runtime) => {
    const format = call.count > 0 ? text(call, 0, runtime) : '%a %b %e %H:%M:%S %Z %Y'
    return strftime(format, new Date(call.count > 1 ? number(call, 1) * 1000 : Date.now()))
  },
  mktime,
  systime: () => Math.floor(Date.now() / 1000),
  and: bits((left, right) => left & right),
  or: bits((left, right) => left | right),
  xor: bits((left, right) => left ^ right),
  lshift: bits((left, right) => left << right),
  rshift: bits((left, right) => left >> right),
  compl: math((value) => Number(0x1fffffffffffffn ^ BigInt(Math.trunc(value)))),
  strtonum: (call, runtime) => strtonum(call.value(0), runtime),
  asort: sorter('values'),
  asorti: sorter('keys'),
  typeof: typeOf,
  isarray: (call) => (call.isArray(0) ? 1 : 0),
}

/** How many arguments a function takes. */
export const COUNTS: Readonly<Record<string, readonly [low: number, high: number]>> = {
  length: [0, 1],
  substr: [2, 3],
  index: [2, 2],
  split: [2, 4],
  patsplit: [2, 3],
  sub: [2, 3],
  gsub: [2, 3],
  gensub: [3, 4],
  match: [2, 3],
  sprintf: [1, 1000],
  atan2: [2, 2],
  rand: [0, 0],
  srand: [0, 1],
  strftime: [0, 3],
  systime: [0, 0],
  and: [2, 1000],
  or: [2, 1000],
  xor: [2, 1000],
  lshift: [2, 2],
  rshift: [2, 2],
  asort: [1, 3],
  asorti: [1, 3],
}
