import type { EngineName } from '../contract/lease.ts'
import { isPlain } from '../contract/plain.ts'
import { refuse } from '../sandbox/arguments.ts'
import { SandboxConfigError } from '../sandbox/errors.ts'
import { kindOf, quote } from '../sandbox/show-value.ts'
import type { SandboxConfig } from '../shell-host/sandbox-config.ts'
import { checkConfig, DEFAULT_SHELL } from '../shell-host/shells.ts'
import { ServiceProblem } from './service-problem.ts'

/** What clients may open where no option says. */
const defaults: Readonly<Record<string, SandboxConfig>> = { default: { shell: 'bash' } }

/** The configs that clients may open. */
export class Templates {
  readonly #configs: ReadonlyMap<string, SandboxConfig>

  /** @throws {SandboxConfigError} naming the template and the field that is not valid */
  constructor(templates: Readonly<Record<string, SandboxConfig>> = defaults) {
    if (typeof templates !== 'object' || templates === null || !isPlain(templates))
      throw refuse('templates', `must be an object of configs, but is ${kindOf(templates)}.`)
    const entries = Object.entries(templates)
    if (entries.length === 0) throw refuse('templates', 'must have a config, but is empty.')
    for (const [name, config] of entries) {
      try {
        checkConfig(config.shell ?? DEFAULT_SHELL, { ...config })
      } catch (error) {
        if (!(error instanceof SandboxConfigError)) throw error
        throw new SandboxConfigError(`The template ${quote(name)}: ${error.message}`, {
          field: `templates.${name}.${error.field}`,
          cause: error,
        })
      }
    }
    this.#configs = new Map(entries)
  }

  get names(): readonly string[] {
    return [...this.#configs.keys()]
  }

  /** @throws {ServiceProblem} where there is none of this name */
  get(name: string): SandboxConfig {
    const config = this.#configs.get(name)
    if (config !== undefined) return config
    throw new ServiceProblem(
      'INVALID_REQUEST',
      `template must be one of ${this.names.map(quote).join(', ')}, but is ${quote(name)}.`,
      { field: 'template' },
    )
  }

  /** The template of a sandbox that there is. @throws {ServiceProblem} where this process has none of this name */
  ofSandbox(name: string): SandboxConfig {
    const config = this.#configs.get(name)
    if (config !== undefined) return config
    throw new ServiceProblem(
      'TEMPLATE_GONE',
      `The sandbox is of the template ${quote(name)}, which this service has no more. Start it with that template, or close the sandbox.`,
      { template: name },
    )
  }

  /** The shell of a template; that of most where it is not there any more. */
  shellOf(name: string): EngineName {
    return this.#configs.get(name)?.shell ?? DEFAULT_SHELL
  }
}
