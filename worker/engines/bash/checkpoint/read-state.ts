import { type CheckpointEntry, GONE } from '../../../../src/contract/checkpoint.ts'
import {
  ATTRIBUTES,
  copyState,
  type InterpreterState,
  type ShellArray,
} from '../session/interpreter-state.ts'
import { readFunction, type TreeReader } from './function-tree.ts'
import type { SessionState, StateKind } from './state-changes.ts'

const wrong = () => new TypeError('The checkpoint is not of this version of the bash engine.')

/** The facts of a checkpoint on top of the state of a fresh session. */
export class StateReader {
  readonly #state: Record<string, unknown>
  readonly #sets: InterpreterState
  readonly #traps = new Map<string, string>()
  readonly #reader: TreeReader
  #umask: number

  constructor(fresh: SessionState, reader: TreeReader) {
    this.#sets = copyState(fresh.state)
    this.#state = { ...this.#sets }
    this.#umask = fresh.umask
    this.#reader = reader
  }

  /** What the session has after all facts. */
  get session(): SessionState {
    const { cwd, previousDir, lastExitCode, options, shoptOptions } = this.#state
    if (typeof cwd !== 'string' || typeof previousDir !== 'string' || typeof lastExitCode !== 'number')
      throw wrong()
    if (!areFlags(options) || !areFlags(shoptOptions)) throw wrong()
    const state = { ...this.#sets, cwd, previousDir, lastExitCode, options, shoptOptions }
    return { state, traps: this.#traps, umask: this.#umask }
  }

  /** @throws {TypeError} where the fact is not of this version */
  read({ key, value }: CheckpointEntry): void {
    const space = key.indexOf(' ')
    const kind = key.slice(0, space)
    const name = key.slice(space + 1)
    if (!isKind(kind)) throw wrong()
    const { env, arrays, functions } = this.#sets
    const gone = value === GONE
    switch (kind) {
      case 'variable':
        if (gone) env.delete(name)
        else env.set(name, textOf(value))
        break
      case 'array':
        if (gone) arrays.delete(name)
        else arrays.set(name, arrayOf(value))
        break
      case 'function':
        functions.set(name, readFunction(value, this.#reader))
        break
      case 'attribute':
        this.#readAttribute(name, value)
        break
      case 'trap':
        this.#traps.set(name, textOf(value))
        break
      case 'value':
        this.#readValue(name, value)
    }
  }

  #readAttribute(name: string, value: string): void {
    const names: unknown = JSON.parse(value)
    const known = name === 'exportedVars' || name === 'readonlyVars' || ATTRIBUTES.some((one) => one === name)
    const set = this.#sets[name]
    if (!known || !(set instanceof Set) || !isTexts(names)) throw wrong()
    set.clear()
    for (const each of names) set.add(each)
  }

  #readValue(name: string, value: string): void {
    const parsed: unknown = JSON.parse(value)
    if (name === 'umask') {
      if (typeof parsed !== 'number') throw wrong()
      this.#umask = parsed
    } else this.#state[name] = parsed
  }
}

const KINDS: Readonly<Record<StateKind, true>> = {
  variable: true,
  array: true,
  function: true,
  attribute: true,
  trap: true,
  value: true,
}

function isKind(kind: string): kind is StateKind {
  return Object.hasOwn(KINDS, kind)
}

function textOf(json: string): string {
  const text: unknown = JSON.parse(json)
  if (typeof text !== 'string') throw wrong()
  return text
}

function arrayOf(json: string): ShellArray {
  const array: unknown = JSON.parse(json)
  if (typeof array !== 'object' || array === null || !('kind' in array) || !('elements' in array))
    throw wrong()
  const { kind, elements } = array
  if ((kind !== 'indexed' && kind !== 'associative') || !Array.isArray(elements)) throw wrong()
  const read = new Map<string, string>()
  for (const element of elements) {
    if (!isTexts(element)) throw wrong()
    const [key = '', value = ''] = element
    read.set(key, value)
  }
  return { kind, elements: read }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function areFlags(value: unknown): value is Record<string, boolean> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((flag) => typeof flag === 'boolean')
  )
}
