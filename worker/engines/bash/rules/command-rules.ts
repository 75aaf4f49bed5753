import { posix } from 'node:path'
import type { PolicyRules } from '../../../../src/contract/policy-rules.ts'
import { SHELL_BUILTINS } from '../../../../src/contract/shell-builtins.ts'
import type { ExecResult, IFileSystem } from '../just-bash.ts'
import { innerPath, isInner } from '../transform/inner-command.ts'

/** The status of a command that was found and may not run. */
const REFUSED = 126

/** What stands in a rewritten script for a command that the script names. */
const STANDS_FOR: ReadonlyMap<string, string> = new Map([
  ['__echo', 'echo'],
  ['__eval', 'eval'],
  ['__functions', 'declare'],
  ['__wait', 'wait'],
  ['__yes', 'yes'],
])

/** Names of one builtin or program. */
const SAME: readonly (readonly string[])[] = [
  ['.', 'source'],
  ['[', 'test'],
  ['awk', 'gawk'],
  ['bash', 'sh'],
  ['declare', 'typeset'],
  ['mapfile', 'readarray'],
]

/** The programs of the shell are in both, as one. */
const PROGRAMS = /^\/(?:usr\/)?bin\/(?=[^/]+$)/

/** Which commands a session runs: asked where just-bash dispatches one, whatever the text of the script is. */
export class CommandRules {
  /** Nothing is refused before. */
  begun = false
  readonly #allowed: ReadonlySet<string> | undefined
  readonly #denied: ReadonlySet<string>
  readonly #files: Pick<IFileSystem, 'realpath'>

  constructor({ allowed, denied = [] }: PolicyRules, files: Pick<IFileSystem, 'realpath'>) {
    this.#allowed = allowed === undefined ? undefined : new Set(allowed.map(named))
    this.#denied = new Set(
      denied.map(named).flatMap((name) => SAME.find((names) => names.includes(name)) ?? [name]),
    )
    this.#files = files
  }

  /** Whether a name is denied: that of a builtin, a function or a program. */
  denies(name: string): boolean {
    return this.begun && this.#denied.has(name)
  }

  /** @param word - as it is dispatched: a builtin, a function, a program, or the path of one. */
  refuseWord(word: string): ExecResult | undefined {
    const name = word.includes('/') ? meant(posix.basename(word)) : word
    return name !== undefined && this.denies(name) ? refused(isInner(word) ? name : word) : undefined
  }

  /** @param program - the name that the shell knows it by, whatever it was called. */
  refuseProgram(program: string): ExecResult | undefined {
    const name = meant(program)
    if (!this.begun || name === undefined || SHELL_BUILTINS.has(name)) return undefined
    return this.#denied.has(name) || this.#allowed?.has(name) === false ? refused(name) : undefined
  }

  /** @param path - of a file that is to run: absolute. */
  async refuseFile(path: string): Promise<ExecResult | undefined> {
    const denied = await this.refuseDeniedFile(path)
    if (denied !== undefined || !this.begun || this.#allowed === undefined) return denied
    const names = await this.#namesOf(path)
    return names.some((name) => this.#allowed?.has(name)) ? undefined : refused(path)
  }

  /** The same of a file that stands for a program: that is asked for when it is dispatched. */
  async refuseDeniedFile(path: string): Promise<ExecResult | undefined> {
    if (!this.begun || this.#denied.size === 0) return undefined
    const names = await this.#namesOf(path)
    return names.some((name) => this.#denied.has(name)) ? refused(path) : undefined
  }

  async #namesOf(path: string): Promise<readonly string[]> {
    const real = await this.#files.realpath(path).catch(() => path) // Nothing is there: it cannot run.
    return [path, real, posix.basename(path), posix.basename(real)]
  }
}

/** A program of the shell by its name; another file by its path. */
const named = (rule: string) => (rule.includes('/') ? posix.normalize(rule).replace(PROGRAMS, '') : rule)

/** The name that is asked for; undefined for a part of a rewritten script. */
const meant = (name: string) => (isInner(innerPath(name)) ? STANDS_FOR.get(name) : name)

function refused(name: string): ExecResult {
  const stderr = `${name}: not allowed by the policy of this sandbox: do without it\n`
  return { stdout: '', stderr, exitCode: REFUSED }
}
