import { DATES } from './dates.ts'
import { formatted, toText } from './formats.ts'
import type { Plain } from './interpreter.ts'
import { MATH } from './math.ts'
import { operate, split } from './operators.ts'
import { deletePaths, indices, setPath } from './paths.ts'
import { parseJson } from './read-json.ts'
import { match } from './regex.ts'
import { compare, isArray, isObject, JqError, type Json, sortedKeys, typeOf, writeJson } from './values.ts'

const told = (value: Json) => `${typeOf(value)} (${writeJson(value)})`

const text = (value: Json, what: string): string => {
  if (typeof value !== 'string') throw new JqError(`${told(value)} ${what}`)
  return value
}

const list = (value: Json, what: string): readonly Json[] => {
  if (!isArray(value)) throw new JqError(`${told(value)} ${what}`)
  return value
}

function length(value: Json): Json {
  if (value === null) return 0
  if (typeof value === 'boolean') throw new JqError(`${told(value)} has no length`)
  if (typeof value === 'number') return Math.abs(value)
  if (typeof value === 'string') return [...value].length
  return isArray(value) ? value.length : isObject(value) ? value.size : 0
}

function keys(value: Json, sorted: boolean): Json {
  if (isArray(value)) return value.map((_, at) => at)
  if (!isObject(value)) throw new JqError(`${told(value)} has no keys`)
  return sorted ? sortedKeys(value) : [...value.keys()]
}

function has(value: Json, key: Json): boolean {
  if (isObject(value) && typeof key === 'string') return value.has(key)
  if (isArray(value) && typeof key === 'number') return key >= 0 && key < value.length
  throw new JqError(
    `Cannot check whether ${typeOf(value)} has a ${typeof key === 'string' ? 'string' : typeOf(key)} key`,
  )
}

function contains(value: Json, part: Json): boolean {
  if (isObject(value) && isObject(part))
    return [...part].every(([key, inner]) => value.has(key) && contains(value.get(key) ?? null, inner))
  if (isArray(value) && isArray(part))
    return part.every((inner) => value.some((item) => contains(item, inner)))
  if (typeof value === 'string' && typeof part === 'string') return value.includes(part)
  if (typeOf(value) === typeOf(part)) return compare(value, part) === 0
  throw new JqError(`${told(value)} and ${told(part)} cannot have their containment checked`)
}

function flatten(value: Json, depth: Json): Json {
  if (typeof depth !== 'number' || depth < 0) throw new JqError('flatten depth must not be negative')
  const items = isObject(value) ? [...value.values()] : list(value, 'cannot be flattened')
  return items.flatMap((item) => (isArray(item) && depth > 0 ? list(flatten(item, depth - 1), '') : [item]))
}

function tonumber(value: Json): Json {
  if (typeof value === 'number') return value
  const number = text(value, 'cannot be parsed as a number')
  if (number === 'nan') return Number.NaN
  if (!/^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$/.test(number))
    throw new JqError(`Cannot be parsed as a number: ${writeJson(number)}`)
  return Number(number)
}

function indicesOf(value: Json, part: Json): Json {
  if (value === null) return null
  if (typeof value === 'string' && typeof part === 'string') {
    const found: number[] = []
    if (part === '') return null
    for (let at = value.indexOf(part); at >= 0; at = value.indexOf(part, at + 1))
      found.push([...value.slice(0, at)].length)
    return found
  }
  const items = list(value, 'cannot be searched')
  return indices(items, isArray(part) ? part : [part])
}

const end =
  (at: 0 | -1): Plain =>
  (value, part) => {
    const found = indicesOf(value, part ?? null)
    return isArray(found) ? (found.at(at) ?? null) : null
  }

/** Values with their keys, ordered by the keys. */
function keyed(value: Json, by: Json): { value: Json; key: Json }[] {
  const all = list(value, 'cannot be sorted, as it is not an array')
  const found = list(by, '')
  return all.map((item, at) => ({ value: item, key: found[at] ?? null }))
}

const sorted = (value: Json, by: Json) => keyed(value, by).sort((left, right) => compare(left.key, right.key))

function groups(value: Json, by: Json): Json {
  const found: { key: Json; items: Json[] }[] = []
  for (const { value: item, key } of sorted(value, by)) {
    const last = found.at(-1)
    if (last !== undefined && compare(last.key, key) === 0) last.items.push(item)
    else found.push({ key, items: [item] })
  }
  return found.map(({ items }) => items)
}

function extreme(value: Json, by: Json, wins: (order: number) => boolean): Json {
  const [first, ...rest] = keyed(value, by)
  return (
    rest.reduce((best, one) => (wins(compare(one.key, (best ?? one).key)) ? one : best), first)?.value ?? null
  )
}

function implode(value: Json): Json {
  const codes = list(value, 'cannot be imploded, must be an array')
  return codes
    .map((code) => {
      if (typeof code !== 'number') throw new JqError('Unicode codepoint must be numeric')
      return String.fromCodePoint(
        code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? Math.floor(code) : 0xfffd,
      )
    })
    .join('')
}

function transpose(value: Json): Json {
  const rows = list(value, 'cannot be transposed').map((row) => list(row, 'cannot be transposed'))
  const width = Math.max(0, ...rows.map((row) => row.length))
  return Array.from({ length: width }, (_, at) => rows.map((row) => row[at] ?? null))
}

function bsearch(value: Json, wanted: Json): Json {
  const items = list(value, 'cannot be searched from')
  let [low, high] = [0, items.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const order = compare(items[middle] ?? null, wanted)
    if (order === 0) return middle
    if (order < 0) low = middle + 1
    else high = middle - 1
  }
  return -1 - low
}

function add(value: Json): Json {
  const items = isObject(value) ? [...value.values()] : list(value, 'cannot be added')
  if (items.length > 0 && items.every((item) => typeof item === 'string')) return items.join('')
  if (items.length > 0 && items.every((item) => isArray(item))) return items.flat(1)
  return items.reduce<Json>((sum, item) => operate('+', sum, item), null)
}

function join(value: Json, separator: Json): Json {
  const items = list(value, 'cannot be joined')
  if (items.length === 0) return ''
  const between = text(separator, 'cannot be added to a string')
  return items
    .map((item) => {
      if (item === null) return ''
      if (isArray(item) || isObject(item)) throw new JqError(`string ("") and ${told(item)} cannot be added`)
      return toText(item)
    })
    .join(between)
}

const trimmed =
  (pattern: RegExp): Plain =>
  (value) =>
    text(value, 'cannot be trimmed').replace(pattern, '')

const pathOf = (value: Json): readonly Json[] => {
  if (!isArray(value)) throw new JqError('Path must be specified as an array')
  return value
}

/** Functions that give one value. */
export const PLAIN: ReadonlyMap<string, Plain> = new Map(
  Object.entries({
    'length/0': length,
    'utf8bytelength/0': (value) => Buffer.byteLength(text(value, 'only strings have UTF-8 byte length')),
    'keys/0': (value) => keys(value, true),
    'keys_unsorted/0': (value) => keys(value, false),
    'has/1': (value, key = null) => has(value, key),
    'contains/1': (value, part = null) => contains(value, part),
    'add/0': add,
    'reverse/0': (value) => {
      if (value === null) return []
      return typeof value === 'string'
        ? [...value].reverse().join('')
        : [...list(value, 'cannot be reversed, as it is not an array')].reverse()
    },
    'type/0': typeOf,
    'tostring/0': toText,
    'tonumber/0': tonumber,
    'tojson/0': (value) => writeJson(value),
    'fromjson/0': (value) => parseJson(text(value, 'only strings can be parsed')),
    'ascii_downcase/0': (value) =>
      text(value, 'cannot be lowercased').replaceAll(/[A-Z]/g, (one) => one.toLowerCase()),
    'ascii_upcase/0': (value) =>
      text(value, 'cannot be uppercased').replaceAll(/[a-z]/g, (one) => one.toUpperCase()),
    'explode/0': (value) => [...text(value, 'cannot be exploded')].map((one) => one.codePointAt(0) ?? 0),
    'implode/0': implode,
    'split/1': (value, separator = null) =>
      split(text(value, 'cannot be split'), text(separator, 'cannot be split by')),
    'join/1': (value, separator = null) => join(value, separator),
    'startswith/1': (value, part = null) =>
      text(value, 'cannot be checked for its start').startsWith(text(part, 'is no start')),
    'endswith/1': (value, part = null) =>
      text(value, 'cannot be checked for its end').endsWith(text(part, 'is no end')),
    'ltrimstr/1': (value, part = null) =>
      typeof value === 'string' && typeof part === 'string' && value.startsWith(part)
        ? value.slice(part.length)
        : value,
    'rtrimstr/1': (value, part = null) =>
      typeof value === 'string' && typeof part === 'string' && part !== '' && value.endsWith(part)
        ? value.slice(0, -part.length)
        : value,
    'trim/0': trimmed(/^\s+|\s+$/g),
    'ltrim/0': trimmed(/^\s+/),
    'rtrim/0': trimmed(/\s+$/),
    'flatten/0': (value) => flatten(value, 1e9),
    'flatten/1': (value, depth = null) => flatten(value, depth),
    'sort/0': (value) => [...list(value, 'cannot be sorted, as it is not an array')].sort(compare),
    '_sort_by/1': (value, by = null) => sorted(value, by).map((one) => one.value),
    '_group_by/1': (value, by = null) => groups(value, by),
    '_min_by/1': (value, by = null) => extreme(value, by, (order) => order < 0),
    '_max_by/1': (value, by = null) => extreme(value, by, (order) => order >= 0),
    'min/0': (value) => extreme(value, value, (order) => order < 0),
    'max/0': (value) => extreme(value, value, (order) => order >= 0),
    'transpose/0': transpose,
    'bsearch/1': (value, wanted = null) => bsearch(value, wanted),
    'indices/1': (value, part = null) => indicesOf(value, part),
    'index/1': end(0),
    'rindex/1': end(-1),
    'setpath/2': (value, path = null, replacement = null) => setPath(value, pathOf(path), replacement),
    'delpaths/1': (value, paths = null) => deletePaths(value, pathOf(paths).map(pathOf), compare),
    '_match/3': (value, expression = null, flags = null, test = null) =>
      match(value, expression, flags, test),
    'infinite/0': () => Number.POSITIVE_INFINITY,
    'nan/0': () => Number.NaN,
    'null/0': () => null,
    'true/0': () => true,
    'false/0': () => false,
    'format/1': (value, name = null) => formatted(`@${text(name, 'is not a valid format')}`, value),
    'ascii/0': (value) => String.fromCharCode(typeof value === 'number' ? value : 0),
    ...MATH,
    ...DATES,
  } satisfies Record<string, Plain>),
)
