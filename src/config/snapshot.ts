import { isPlain } from '../contract/plain.ts'
import { SandboxConfigError } from '../sandbox/errors.ts'
import { fieldPath } from '../sandbox/field-path.ts'

const MAX_DEPTH = 8
/** Values of a config, at most: one that refers to itself in many places would have no end. */
const MAX_VALUES = 100_000

type Path = readonly (string | number)[]

/** Values that may still be copied. */
interface Budget {
  left: number
}

/** Stands in a snapshot for what was refused there, so that nothing reads the original again. */
export class Refused {
  /** What it was, such as `an object that is not plain`. */
  readonly was: string

  constructor(was: string) {
    this.was = was
  }
}

/**
 * Copies plain data, reading every property once: objects become objects without a prototype, and what
 * is no plain data becomes a {@link Refused}. Later changes to the original change nothing.
 *
 * @throws SandboxConfigError when reading a property throws, naming the property, and where there is no end of values.
 */
export function snapshot(value: unknown): unknown {
  return copyOf(() => value, [], { left: MAX_VALUES })
}

/** Whether a value of a snapshot is a copied object. */
export function isSnapshotObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null
}

function copyOf(read: () => unknown, path: Path, budget: Budget): unknown {
  if (budget.left-- === 0) throw tooLarge()
  try {
    const value = read()
    if (typeof value !== 'object' || value === null) return value
    if (path.length >= MAX_DEPTH) return new Refused('nested too deeply')
    if (Array.isArray(value)) return copyArray(value, path, budget)
    return isPlain(value)
      ? copyObject(value, path, budget)
      : new Refused('an object that is not plain (an instance of a class)')
  } catch (cause) {
    if (cause instanceof SandboxConfigError) throw cause
    const field = fieldPath(path)
    throw new SandboxConfigError(`Invalid sandbox config: ${field} could not be read. Pass plain data.`, {
      field,
      cause,
    })
  }
}

function copyArray(array: readonly unknown[], path: Path, budget: Budget): unknown {
  const copy: unknown[] = []
  const { length } = array
  for (let index = 0; index < length; index++) {
    if (!Object.hasOwn(array, index)) return new Refused(`an array with a hole at index ${index}`)
    copy.push(copyOf(() => array[index], [...path, index], budget))
  }
  return copy
}

function copyObject(object: object, path: Path, budget: Budget): unknown {
  const copy: Record<string, unknown> = Object.create(null)
  for (const key of Reflect.ownKeys(object)) {
    if (typeof key === 'symbol') return new Refused('an object with a symbol as a key')
    copy[key] = copyOf(() => Reflect.get(object, key), [...path, key], budget)
  }
  return copy
}

function tooLarge(): SandboxConfigError {
  return new SandboxConfigError(`Invalid sandbox config: it holds more than ${MAX_VALUES} values.`, {
    field: 'config',
  })
}
