import { type CheckpointEntry, GONE } from '../../../../src/contract/checkpoint.ts'
import type { ShellFunction } from '../just-bash.ts'
import { ATTRIBUTES, type InterpreterState, type ShellArray } from '../session/interpreter-state.ts'
import { writeFunction } from './function-tree.ts'

/** Everything of a session that a checkpoint has, beside its files. */
export interface SessionState {
  readonly state: InterpreterState
  readonly traps: ReadonlyMap<string, string>
  readonly umask: number
}

/** What kinds of facts there are. A key is the kind, a space and a name. */
export type StateKind = 'variable' | 'array' | 'function' | 'attribute' | 'trap' | 'value'

const keyOf = (kind: StateKind, name: string) => `${kind} ${name}`

export interface StateFacts {
  readonly entries: CheckpointEntry[]
  readonly forgotten: string[]
}

/** One kind of facts by name. What was told of them last is kept as the interpreter had it, or as a copy. */
class Facts<T> {
  readonly #kind: StateKind
  readonly #isSame: (before: T, now: T) => boolean
  readonly #copy: (value: T) => T
  readonly #write: (value: T) => string
  readonly #fresh: ReadonlySet<string>
  #told: Map<string, T>

  constructor(
    kind: StateKind,
    fresh: ReadonlyMap<string, T>,
    { isSame = Object.is, copy = (value: T) => value, write }: FactKind<T>,
  ) {
    this.#kind = kind
    this.#isSame = isSame
    this.#copy = copy
    this.#write = write
    this.#fresh = new Set(fresh.keys())
    this.#told = this.#copied(fresh)
  }

  /** Adds what differs from the last time. */
  tell(now: ReadonlyMap<string, T>, { entries, forgotten }: StateFacts): void {
    for (const [name, value] of now) {
      const before = this.#told.get(name)
      if (before !== undefined && this.#isSame(before, value)) continue
      this.#told.set(name, this.#copy(value))
      entries.push({ key: keyOf(this.#kind, name), value: this.#write(value) })
    }
    if (now.size === this.#told.size) return
    for (const name of this.#told.keys()) {
      if (now.has(name)) continue
      this.#told.delete(name)
      if (this.#fresh.has(name)) entries.push({ key: keyOf(this.#kind, name), value: GONE })
      else forgotten.push(keyOf(this.#kind, name))
    }
  }

  /** Nothing has been told. Names that are gone are told no more. */
  forget(): void {
    this.#told.clear()
  }

  /** The host knows these. */
  restored(now: ReadonlyMap<string, T>): void {
    this.#told = this.#copied(now)
  }

  #copied(values: ReadonlyMap<string, T>): Map<string, T> {
    return new Map([...values].map(([name, value]) => [name, this.#copy(value)]))
  }
}

interface FactKind<T> {
  readonly isSame?: (before: T, now: T) => boolean
  readonly copy?: (value: T) => T
  readonly write: (value: T) => string
}

/** Tells how the state of a session differs from that of a fresh one. */
export class StateChanges {
  readonly #variables: Facts<string>
  readonly #arrays: Facts<ShellArray>
  readonly #functions: Facts<ShellFunction>
  readonly #attributes: Facts<ReadonlySet<string>>
  readonly #traps: Facts<string>
  readonly #values: Facts<string>

  constructor(fresh: SessionState) {
    const text = { write: (value: string) => JSON.stringify(value) }
    this.#variables = new Facts('variable', fresh.state.env, text)
    this.#arrays = new Facts('array', fresh.state.arrays, arrays)
    this.#functions = new Facts('function', fresh.state.functions, { write: writeFunction })
    this.#attributes = new Facts('attribute', attributesOf(fresh.state), attributes)
    this.#traps = new Facts('trap', fresh.traps, text)
    this.#values = new Facts('value', valuesOf(fresh), { write: (value) => value })
  }

  /** Undefined where nothing differs from the last time. */
  take(session: SessionState): StateFacts | undefined {
    const facts: StateFacts = { entries: [], forgotten: [] }
    const { state, traps } = session
    this.#variables.tell(state.env, facts)
    this.#arrays.tell(state.arrays, facts)
    this.#functions.tell(state.functions, facts)
    this.#attributes.tell(attributesOf(state), facts)
    this.#traps.tell(traps, facts)
    this.#values.tell(valuesOf(session), facts)
    return facts.entries.length + facts.forgotten.length > 0 ? facts : undefined
  }

  /** Has what a fresh session has told as well. */
  tellAll(): void {
    for (const facts of [
      this.#variables,
      this.#arrays,
      this.#functions,
      this.#attributes,
      this.#traps,
      this.#values,
    ])
      facts.forget()
  }

  /** The session has what a checkpoint says. */
  restored(session: SessionState): void {
    const { state, traps } = session
    this.#variables.restored(state.env)
    this.#arrays.restored(state.arrays)
    this.#functions.restored(state.functions)
    this.#attributes.restored(attributesOf(state))
    this.#traps.restored(traps)
    this.#values.restored(valuesOf(session))
  }
}

const arrays: FactKind<ShellArray> = {
  isSame: (before, now) => before.kind === now.kind && isSameMap(before.elements, now.elements),
  copy: ({ kind, elements }) => ({ kind, elements: new Map(elements) }),
  write: ({ kind, elements }) => JSON.stringify({ kind, elements: [...elements] }),
}

const attributes: FactKind<ReadonlySet<string>> = {
  isSame: (before, now) => before.size === now.size && [...now].every((name) => before.has(name)),
  copy: (names) => new Set(names),
  write: (names) => JSON.stringify([...names]),
}

/** The order of the elements counts: it is that in which they are listed. */
function isSameMap(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): boolean {
  if (before.size !== now.size) return false
  const others = before.entries()
  for (const [key, value] of now) {
    const other = others.next().value
    if (other === undefined || other[0] !== key || other[1] !== value) return false
  }
  return true
}

function attributesOf(state: InterpreterState): Map<string, ReadonlySet<string>> {
  const sets = new Map<string, ReadonlySet<string>>([
    ['exportedVars', state.exportedVars],
    ['readonlyVars', state.readonlyVars],
  ])
  for (const name of ATTRIBUTES) {
    const set = state[name]
    if (set instanceof Set) sets.set(name, set)
  }
  return sets
}

/** What there is once a session, as JSON. */
function valuesOf({ state, umask }: SessionState): Map<string, string> {
  return new Map([
    ['cwd', JSON.stringify(state.cwd)],
    ['previousDir', JSON.stringify(state.previousDir)],
    ['lastExitCode', JSON.stringify(state.lastExitCode)],
    ['options', JSON.stringify(state.options)],
    ['shoptOptions', JSON.stringify(state.shoptOptions)],
    ['umask', JSON.stringify(umask)],
  ])
}
