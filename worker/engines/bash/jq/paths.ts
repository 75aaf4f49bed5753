import { isArray, isObject, JqError, type Json, typeOf, writeJson } from './values.ts'

/** More elements than an array may get by setting one of them. */
const MOST = 10_000_000

/** `.[key]` */
export function getKey(value: Json, key: Json): Json {
  if (isObject(value) && typeof key === 'string') return value.get(key) ?? null
  if (isArray(value) && typeof key === 'number') {
    const at = Math.floor(key)
    return value[at < 0 ? at + value.length : at] ?? null
  }
  if (isObject(key) && (isArray(value) || value === null))
    return slice(value, key.get('start') ?? null, key.get('end') ?? null)
  if (isArray(value) && isArray(key)) return indices(value, key)
  if (value === null && (typeof key === 'string' || typeof key === 'number')) return null
  if (typeof key === 'string' && !isArray(value))
    throw new JqError(`Cannot index ${typeOf(value)} with "${key}"`)
  throw new JqError(`Cannot index ${typeOf(value)} with ${typeOf(key)}`)
}

/** Where a list begins inside of another. */
export function indices(list: readonly Json[], part: readonly Json[]): number[] {
  const found: number[] = []
  if (part.length === 0) return found
  const texts = list.map((item) => writeJson(item))
  const wanted = part.map((item) => writeJson(item))
  for (let at = 0; at + wanted.length <= texts.length; at += 1)
    if (wanted.every((text, offset) => texts[at + offset] === text)) found.push(at)
  return found
}

/** `.[from:to]` */
export function slice(value: Json, from: Json, to: Json): Json {
  if (value === null) return null
  if (typeof value !== 'string' && !isArray(value))
    throw new JqError(`Cannot index ${typeOf(value)} with object`)
  const list = typeof value === 'string' ? [...value] : value
  const [start, end] = range(list.length, from, to)
  return typeof value === 'string' ? list.slice(start, end).join('') : list.slice(start, end)
}

function range(length: number, from: Json, to: Json): [start: number, end: number] {
  if ((from !== null && typeof from !== 'number') || (to !== null && typeof to !== 'number'))
    throw new JqError('Start and end indices of an array slice must be numbers')
  const within = (at: number) => Math.min(length, Math.max(0, at < 0 ? at + length : at))
  const start = within(Math.floor(from ?? 0))
  return [start, Math.max(start, within(Math.ceil(to ?? length)))]
}

export const getPath = (value: Json, path: readonly Json[]): Json =>
  path.reduce<Json>((found, key) => (found === null ? null : getKey(found, key)), value)

/** The value with another one at a path. */
export function setPath(value: Json, path: readonly Json[], replacement: Json): Json {
  const [key, ...rest] = path
  if (key === undefined) return replacement
  return setKey(value, key, setPath(childOf(value, key), rest, replacement))
}

/** The value with what a function makes of the one at a path. */
export function updatePath(value: Json, path: readonly Json[], update: (old: Json) => Json): Json {
  const [key, ...rest] = path
  if (key === undefined) return update(value)
  return setKey(value, key, updatePath(childOf(value, key), rest, update))
}

const childOf = (value: Json, key: Json): Json => (value === null ? null : getKey(value, key))

function setKey(value: Json, key: Json, child: Json): Json {
  if (typeof key === 'string' && (value === null || isObject(value)))
    return new Map<string, Json>(value ?? []).set(key, child)
  if (typeof key === 'number' && (value === null || isArray(value))) {
    const list = [...(value ?? [])]
    const at = key < 0 ? Math.floor(key) + list.length : Math.floor(key)
    if (at < 0) throw new JqError('Out of bounds negative array index')
    if (at > MOST) throw new JqError('Array index too large')
    while (list.length < at) list.push(null)
    list[at] = child
    return list
  }
  if (isObject(key) && (value === null || isArray(value))) {
    const list = value ?? []
    if (!isArray(child)) throw new JqError('A slice of an array can only be assigned another array')
    const [start, end] = range(list.length, key.get('start') ?? null, key.get('end') ?? null)
    return [...list.slice(0, start), ...child, ...list.slice(end)]
  }
  if (typeof key === 'string') throw new JqError(`Cannot index ${typeOf(value)} with "${key}"`)
  throw new JqError(`Cannot update field at ${typeOf(key)} index of ${typeOf(value)}`)
}

/** The value without what is at some paths. */
export function deletePaths(
  value: Json,
  paths: readonly (readonly Json[])[],
  compare: (a: Json, b: Json) => number,
): Json {
  const last = [...paths].sort(compare).reverse()
  return last.reduce<Json>((found, path) => deletePath(found, path), value)
}

function deletePath(value: Json, [key, ...rest]: readonly Json[]): Json {
  if (key === undefined || value === null) return null
  if (rest.length > 0) {
    const child = getKey(value, key)
    return child === null ? value : setKey(value, key, deletePath(child, rest))
  }
  if (isObject(value) && typeof key === 'string') {
    const object = new Map(value)
    object.delete(key)
    return object
  }
  if (isArray(value) && typeof key === 'number') {
    const at = key < 0 ? Math.floor(key) + value.length : Math.floor(key)
    return value.filter((_, index) => index !== at)
  }
  if (isArray(value) && isObject(key)) return setKey(value, key, [])
  throw new JqError(
    `Cannot delete field at ${isObject(value) ? 'object' : 'array'} index of ${typeOf(value)}`,
  )
}
