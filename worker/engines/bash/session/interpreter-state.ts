import type { Bash, ShellFunction } from '../just-bash.ts'
import { unlikePinned } from '../just-bash.ts'
import { ProgramPaths } from './program-paths.ts'

/** An array of the interpreter. */
export interface ShellArray {
  readonly kind: 'indexed' | 'associative'
  readonly elements: Map<string, string>
}

/**
 * What just-bash 3.4.2 keeps of a shell between its statements. `Bash.exec` starts from a copy of it.
 * The field is private in its types; a contract test holds it to this shape.
 */
export interface InterpreterState {
  readonly env: Map<string, string>
  readonly arrays: Map<string, ShellArray>
  readonly functions: Map<string, ShellFunction>
  readonly cwd: string
  readonly previousDir: string
  readonly lastExitCode: number
  readonly lastArg: string
  readonly virtualPid: number
  readonly bashPid: number
  readonly nextVirtualPid: number
  readonly startTime: number
  /** Functions that run. */
  readonly callDepth: number
  /** `$LINENO` */
  currentLine: number
  readonly options: Readonly<Record<string, boolean>>
  /** Shared by reference with the running interpreter, as all sets below. */
  readonly shoptOptions: Record<string, boolean>
  readonly exportedVars: Set<string>
  readonly readonlyVars: Set<string>
  readonly associativeArrays: Set<string>
  readonly [field: string]: unknown
}

/** Sets that the interpreter makes when it needs them. Made here, they are shared and so outlive an `exec`. */
export const ATTRIBUTES = [
  'associativeArrays',
  'integerVars',
  'lowercaseVars',
  'uppercaseVars',
  'namerefs',
  'boundNamerefs',
  'invalidNamerefs',
  'declaredVars',
] as const

function isState(value: unknown): value is InterpreterState {
  return (
    typeof value === 'object' &&
    value !== null &&
    'env' in value &&
    value.env instanceof Map &&
    'arrays' in value &&
    value.arrays instanceof Map &&
    'functions' in value &&
    value.functions instanceof Map &&
    'exportedVars' in value &&
    value.exportedVars instanceof Set &&
    'shoptOptions' in value
  )
}

/** @throws {TypeError} where this is not the pinned version of just-bash. */
export function stateOf(bash: Bash): InterpreterState {
  const state: unknown = Reflect.get(bash, 'state')
  if (!isState(state)) throw unlikePinned('keeps its state')
  return state
}

/** Starts `exec` on `state`. `Bash.exec` copies its state before it first waits; nested ones see the old. */
export function startOn<T>(bash: Bash, state: InterpreterState, start: () => Promise<T>): Promise<T> {
  const outer = stateOf(bash)
  Reflect.set(bash, 'state', state)
  try {
    return start()
  } finally {
    Reflect.set(bash, 'state', outer)
  }
}

/** A copy that shares nothing that changes. */
export function copyState(state: InterpreterState): InterpreterState {
  const copy: Record<string, unknown> = { ...state }
  for (const [name, value] of Object.entries(state)) {
    if (value instanceof Map) copy[name] = new Map(value)
    else if (value instanceof Set) copy[name] = new Set(value)
    else if (Array.isArray(value)) copy[name] = [...value]
    else if (name === 'options' || name === 'shoptOptions') copy[name] = { ...(value as object) }
  }
  copy['hashTable'] = new ProgramPaths()
  for (const name of ATTRIBUTES) copy[name] ??= new Set()
  if (!isState(copy)) throw new TypeError('A copied state has another shape.')
  return copy
}

/** Sets the positional parameters of `env`. */
export function setPositional(env: Map<string, string>, words: readonly string[]): void {
  const before = Number(env.get('#') ?? '0')
  for (let at = words.length + 1; at <= before; at += 1) env.delete(String(at))
  words.forEach((word, at) => {
    env.set(String(at + 1), word)
  })
  env.set('#', String(words.length))
  env.set('@', words.join(' '))
  env.set('*', words.join(' '))
}
