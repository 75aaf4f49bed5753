/** What stands in front of each value in a message's head. */
export const Tag = {
  undefined: 0,
  null: 1,
  false: 2,
  true: 3,
  int32: 4,
  double: 5,
  bigint: 6,
  string: 7,
  stringPart: 8,
  array: 9,
  object: 10,
  map: 11,
  set: 12,
  date: 13,
  error: 14,
  bytes: 15,
  bytesPart: 16,
  /** An object that the message held before: its number. */
  seen: 17,
} as const

/** How deep values may be nested. */
export const MAX_DEPTH = 500

/** What the values of a message may weigh together; a value weighs 1. It bounds what a short message makes of memory. */
export const MAX_WEIGHT = 4 * 1024 ** 2

/** What a value weighs of which V8 makes several objects. */
export const HEAVY = 16

/** Kinds of errors as they cross, by number. */
export const errorTypes = [
  Error,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
] as const

type ViewType = new (buffer: ArrayBuffer) => ArrayBufferView<ArrayBuffer>

/** Kinds of views as they cross, by number; 0 stands for the buffer itself. */
const views: readonly (readonly [name: string, type: ViewType, elementBytes: number])[] = [
  ['DataView', DataView, 1],
  ['Uint8Array', Uint8Array, 1],
  ['Int8Array', Int8Array, 1],
  ['Uint8ClampedArray', Uint8ClampedArray, 1],
  ['Uint16Array', Uint16Array, 2],
  ['Int16Array', Int16Array, 2],
  ['Uint32Array', Uint32Array, 4],
  ['Int32Array', Int32Array, 4],
  ['Float32Array', Float32Array, 4],
  ['Float64Array', Float64Array, 8],
  ['BigUint64Array', BigUint64Array, 8],
  ['BigInt64Array', BigInt64Array, 8],
]

/** The number of a view's kind, by its name; undefined for one that does not cross. */
export function viewKind(name: string): number | undefined {
  const index = views.findIndex(([known]) => known === name)
  return index < 0 ? undefined : index + 1
}

/** The buffer as what it was sent as; undefined where it cannot be one. */
export function asKind(kind: number, buffer: ArrayBuffer): ArrayBuffer | ArrayBufferView | undefined {
  if (kind === 0) return buffer
  const view = views[kind - 1]
  if (view === undefined) return undefined
  const [, Type, elementBytes] = view
  return buffer.byteLength % elementBytes === 0 ? new Type(buffer) : undefined
}
