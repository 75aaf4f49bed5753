/** A value of JSON. Objects are maps: an object of JavaScript moves keys that look like numbers. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = ReadonlyMap<string, Json>

/** What a program of jq fails with. `value` is what `try … catch` gets. */
export class JqError extends Error {
  override readonly name = 'JqError'
  readonly value: Json

  constructor(value: Json) {
    super(typeof value === 'string' ? value : `${writeJson(value)} (not a string)`)
    this.value = value
  }
}

export const isObject = (value: Json): value is JsonObject => value instanceof Map
export const isArray = (value: Json): value is readonly Json[] => Array.isArray(value)
export const isTrue = (value: Json): boolean => value !== null && value !== false

/** The names that `type` gives. */
export function typeOf(value: Json): string {
  if (value === null) return 'null'
  if (isArray(value)) return 'array'
  return isObject(value) ? 'object' : typeof value
}

const RANKS = ['null', 'false', 'true', 'number', 'string', 'array', 'object']
const rankOf = (value: Json) => RANKS.indexOf(typeof value === 'boolean' ? String(value) : typeOf(value))

/** Strings by their code points. */
function compareText(left: string, right: string): number {
  if (left === right) return 0
  const size = Math.min(left.length, right.length)
  for (let at = 0; at < size; at += 1) {
    const [a, b] = [left.charCodeAt(at), right.charCodeAt(at)]
    if (a === b) continue
    const [high, other] = [a >= 0xd800 && a <= 0xdfff, b >= 0xd800 && b <= 0xdfff]
    return high === other ? a - b : high ? 1 : -1
  }
  return left.length - right.length
}

export const sortedKeys = (object: JsonObject): string[] => [...object.keys()].sort(compareText)

/** The order of all values: null, false, true, numbers, strings, arrays, objects. */
export function compare(left: Json, right: Json): number {
  const rank = rankOf(left) - rankOf(right)
  if (rank !== 0) return rank
  if (typeof left === 'number' && typeof right === 'number')
    return left < right || Number.isNaN(left) ? -1 : left === right ? 0 : 1
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right)
  if (isArray(left) && isArray(right)) return compareLists(left, right)
  if (!isObject(left) || !isObject(right)) return 0
  const [keys, others] = [sortedKeys(left), sortedKeys(right)]
  const byKeys = compareLists(keys, others)
  if (byKeys !== 0) return byKeys
  for (const key of keys) {
    const order = compare(left.get(key) ?? null, right.get(key) ?? null)
    if (order !== 0) return order
  }
  return 0
}

function compareLists(left: readonly Json[], right: readonly Json[]): number {
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const order = compare(left[at] ?? null, right[at] ?? null)
    if (order !== 0) return order
  }
  return left.length - right.length
}

/** A number as jq writes it. */
export function writeNumber(value: number): string {
  if (Number.isNaN(value)) return 'null'
  if (!Number.isFinite(value)) return writeNumber(value > 0 ? Number.MAX_VALUE : -Number.MAX_VALUE)
  if (Object.is(value, -0)) return '-0'
  const [mantissa = '', power = '0'] = Math.abs(value).toExponential().split('e')
  const digits = mantissa.replace('.', '')
  const point = Number(power) + 1
  const sign = value < 0 ? '-' : ''
  if (value === 0) return '0'
  if (point <= -4 || point > digits.length + 15) {
    const exponent = point - 1
    const size = String(Math.abs(exponent)).padStart(2, '0')
    return `${sign}${mantissa}e${exponent < 0 ? '-' : '+'}${size}`
  }
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  if (digits.length <= point) return sign + digits.padEnd(point, '0')
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}

/** How values are written. */
export interface Layout {
  /** Undefined: on one line. */
  readonly indent: string | undefined
  readonly sortKeys: boolean
  readonly ascii: boolean
  /** Escape sequences for a terminal. */
  readonly color: boolean
}

const COMPACT: Layout = { indent: undefined, sortKeys: false, ascii: false, color: false }

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\b': '\\b',
  '\f': '\\f',
}

const unicode = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

function writeString(text: string, ascii = false): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is escaped
  const escaped = text.replaceAll(/["\\\u0000-\u001f\u007f]/g, (one) => ESCAPES[one] ?? unicode(one))
  return `"${ascii ? escaped.replaceAll(/[^ -~]/g, unicode) : escaped}"`
}

export const writeJson = (value: Json, layout: Layout = COMPACT): string => write(value, layout, '')

const COLORS: Readonly<Record<string, string>> = {
  null: '1;30',
  false: '0;39',
  true: '0;39',
  number: '0;39',
  string: '0;32',
  array: '1;39',
  object: '1;39',
}

function write(value: Json, layout: Layout, margin: string): string {
  if (isArray(value))
    return bracketed(
      '[',
      value.map((item) => (inner: string) => write(item, layout, inner)),
      ']',
      layout,
      margin,
    )
  if (isObject(value)) {
    const keys = layout.sortKeys ? sortedKeys(value) : [...value.keys()]
    const entries = keys.map((key) => (inner: string) => {
      const name = writeString(key, layout.ascii)
      const told = layout.color ? `\x1b[0m\x1b[34;1m${name}\x1b[0m\x1b[1;39m` : name
      return `${told}:${layout.indent === undefined ? '' : ' '}${write(value.get(key) ?? null, layout, inner)}`
    })
    return bracketed('{', entries, '}', layout, margin)
  }
  const text =
    typeof value === 'string'
      ? writeString(value, layout.ascii)
      : typeof value === 'number'
        ? writeNumber(value)
        : String(value)
  if (!layout.color) return text
  return `\x1b[${COLORS[typeof value === 'boolean' ? String(value) : typeOf(value)]}m${text}\x1b[0m`
}

function bracketed(
  open: string,
  items: readonly ((margin: string) => string)[],
  close: string,
  { indent, color }: Layout,
  margin: string,
): string {
  if (color && items.length > 0)
    throw new JqError('colored arrays and objects are not known here: leave out -C')
  if (items.length === 0) return color ? `\x1b[1;39m${open}${close}\x1b[0m` : open + close
  if (indent === undefined) return `${open}${items.map((item) => item(margin)).join(',')}${close}`
  const inner = margin + indent
  return `${open}\n${items.map((item) => inner + item(inner)).join(',\n')}\n${margin}${close}`
}

/** The next value, which may be null, or undefined at the end. */
export function nextOf(values: Iterator<Json, unknown>): Json | undefined {
  const next = values.next()
  return next.done === true ? undefined : next.value
}
