import type { CheckpointEntry } from '../../../../src/contract/checkpoint.ts'
import type { SessionState } from './session-state.ts'
import type { Fact } from './told.ts'
import { isList, isText, textOf } from './values.ts'
import { wrongFact } from './wrong-fact.ts'

const VARIABLE = 'variable '
const READONLY = 'readonly '
const ALIAS = 'alias '
const VALUE = 'value '

/** The state of a session as facts of a checkpoint. */
export function stateFacts(state: SessionState): Fact[] {
  const { variables, readonly, aliases, ...values } = state
  const fact = (key: string, value: unknown): Fact => ({ key, value: JSON.stringify(value) })
  return [
    ...[...variables].map(([name, value]) => fact(VARIABLE + name, value)),
    ...[...readonly].map((name) => fact(READONLY + name, true)),
    ...[...aliases].map(([name, value]) => fact(ALIAS + name, value)),
    ...Object.entries(values).map(([name, value]) => fact(VALUE + name, value)),
  ]
}

/** The facts of a checkpoint as state. What is not told is as in a shell that has run nothing. */
export class StateReader {
  readonly #variables = new Map<string, string>()
  readonly #readonly = new Set<string>()
  readonly #aliases = new Map<string, string>()
  readonly #values = new Map<string, unknown>()

  /** Takes a fact; false where it is not of the state. @throws {TypeError} where it is not of this version */
  read({ key, value }: CheckpointEntry): boolean {
    const name = key.slice(key.indexOf(' ') + 1)
    if (key.startsWith(VARIABLE)) this.#variables.set(nameOf(name), textOf(JSON.parse(value)))
    else if (key.startsWith(READONLY)) this.#readonly.add(nameOf(name))
    else if (key.startsWith(ALIAS)) this.#aliases.set(aliasName(name), textOf(JSON.parse(value)))
    else if (key.startsWith(VALUE)) this.#values.set(name, JSON.parse(value))
    else return false
    return true
  }

  /** @throws {TypeError} where it is not of this version */
  get state(): SessionState {
    const { args = [], cwd = '/', umask = '0022', ...others } = Object.fromEntries(this.#values)
    const { options = '', pipefail = 'never', status = 0 } = others
    if (!isList(args, isText) || !Number.isInteger(status) || !isPipefail(pipefail)) throw wrongFact()
    if (!/^[0-7]{1,4}$/.test(textOf(umask)) || !/^e?u?x?$/.test(textOf(options))) throw wrongFact()
    if (!textOf(cwd).startsWith('/')) throw wrongFact()
    return {
      variables: this.#variables,
      readonly: this.#readonly,
      aliases: this.#aliases,
      args,
      cwd: textOf(cwd),
      umask: textOf(umask),
      options: textOf(options),
      pipefail,
      status: Number(status),
    }
  }
}

function nameOf(name: string): string {
  if (!/^[A-Za-z_]\w*$/.test(name) || name.startsWith('__ssr_')) throw wrongFact()
  return name
}

function aliasName(name: string): string {
  if (name === '' || /[=\0]/.test(name)) throw wrongFact()
  return name
}

function isPipefail(value: unknown): value is SessionState['pipefail'] {
  return value === 'on' || value === 'off' || value === 'never'
}
