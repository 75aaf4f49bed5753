import type { CommandScope } from '../../../src/contract/shell-api.ts'
import type { NativeOutput, NativeShell } from './native-shell.ts'

/**
 * Runs a command in a subshell with a directory and variables of its own. Command and values reach the
 * subshell through fresh variables, so that they arrive literally and nothing in them can end it early.
 *
 * Every word of the plumbing is quoted: aliases of the session do not reach quoted words, and its functions
 * do not hide these builtins.
 */
export async function runScoped(
  shell: NativeShell,
  command: string,
  scope: CommandScope,
): Promise<NativeOutput> {
  const variables = new Carriers()
  const steps: string[] = []
  if (scope.cwd !== undefined) steps.push(`'cd' ${variables.hold(explicit(scope.cwd))}`)
  for (const [name, value] of scope.env ?? []) steps.push(`'export' ${name}=${variables.hold(value)}`)
  const body = variables.hold(command).slice(1, -1)
  const unset = `'unset' ${variables.names.join(' ')}`
  await variables.load(shell)
  const output = await shell.run(`(${steps.join(' && ')} && 'eval' "${unset}\n${body}")`)
  await shell.run(unset)
  return output
}

/** Relative directories are made plainly so: `-` and options mean something else to `cd`, and so does CDPATH. */
function explicit(directory: string): string {
  return directory.startsWith('/') ? directory : `./${directory}`
}

/** Session variables under names nobody else uses. */
class Carriers {
  readonly #prefix = `SCOPED_${crypto.randomUUID().replaceAll('-', '')}_`
  readonly #values: string[] = []

  get names(): string[] {
    return this.#values.map((_, index) => this.#prefix + index)
  }

  /** The quoted expansion that stands for `value`. */
  hold(value: string): string {
    return `"$${this.#prefix}${this.#values.push(value) - 1}"`
  }

  async load(shell: NativeShell): Promise<void> {
    for (const [index, name] of this.names.entries()) await shell.setEnv(name, this.#values[index] ?? '')
  }
}
