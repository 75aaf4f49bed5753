import { requireCommand } from '../../sandbox/arguments.ts'
import { UnsupportedError } from '../../sandbox/errors.ts'
import { requireBoolean, requireKnownKeys, resolveExecOptions } from '../arguments.ts'
import type { ArgvSandbox, ExecOptions, ExecResult } from '../argv-sandbox.ts'
import { type SandboxFactory, toFactory, withSandbox } from '../factory.ts'
import { requireEntries } from './command-entries.ts'
import { checkCommand, type Filters, isRestricted, refuseWords } from './command-filter.ts'
import { requireIgnorePatterns } from './ignore-patterns.ts'
import type { Place } from './place.ts'
import { READONLY_COMMANDS } from './readonly-commands.ts'

/** Options of a {@link ShellAdapter}. Any filter switches the shell off: commands run as the argv that was checked. */
export interface ShellAdapterOptions {
  /**
   * Commands that may run, each by the words it begins with: `git log` is neither `git push` nor `git -c x log`.
   *
   * @default undefined (all)
   */
  readonly allowed?: readonly string[] | undefined
  /**
   * Commands that may not run, in the same way, with programs by their names alone. It keeps honest commands
   * apart, and no one out: `env git push` is not `git push`.
   *
   * @default undefined (none)
   */
  readonly blocked?: readonly string[] | undefined
  /**
   * Paths that no word of a command may name, relative to the workdir: names, paths, directories or globs. Words
   * must not lead out of the workdir either.
   *
   * @default undefined (all may be named)
   */
  readonly ignore?: readonly string[] | undefined
  /**
   * Whether only a short list of commands that cannot write is allowed. An `allowed` wins over it.
   *
   * @default false
   */
  readonly readonly?: boolean | undefined
  /**
   * Variables of every command.
   *
   * @default {}
   */
  readonly env?: Readonly<Record<string, string>> | undefined
  /**
   * Seconds a command may run.
   *
   * @default undefined (the sandbox's own)
   */
  readonly timeout?: number | undefined
}

/** Options of one run. */
export interface AdapterRunOptions<Context = unknown> {
  /** Given to the factory that opens the sandbox. */
  readonly context?: Context | undefined
  /** Ends the run: it rejects with `SandboxAbortError`. */
  readonly signal?: AbortSignal | undefined
}

/** The options of a run there are. */
export const RUN_OPTIONS = ['context', 'signal']

/** What a factory's sandboxes are taken to have where it does not say. */
const DEFAULT_WORKDIR = '/workspace'
const KEYS = ['allowed', 'blocked', 'ignore', 'readonly', 'env', 'timeout']

/** Runs commands given as text, in a sandbox or in one that a factory opens for each, behind filters. */
export class ShellAdapter<Context = unknown> {
  readonly #factory: SandboxFactory<Context>
  readonly #filters: Filters
  readonly #exec: ExecOptions

  /** @throws {SandboxConfigError} naming the option that is not valid */
  constructor(source: ArgvSandbox | SandboxFactory<Context>, options: ShellAdapterOptions = {}) {
    requireKnownKeys(options, KEYS)
    this.#factory = toFactory(source)
    this.#filters = resolveFilters(options)
    this.#exec = resolveExecOptions({ env: options.env, timeout: options.timeout })
  }

  /** Where commands run, as seen in the sandbox. */
  get workdir(): string {
    return this.#factory.sandbox?.workdir ?? this.#factory.workdir ?? DEFAULT_WORKDIR
  }

  /** True with any filter: commands run without a shell. */
  get restricted(): boolean {
    return isRestricted(this.#filters)
  }

  /**
   * Runs a command.
   *
   * @returns its output, with `[exit code: N]` in a last line where that is not 0; or why it was refused, for which
   *   no sandbox is opened
   * @throws {SandboxConfigError} with the field `command` for what is no text that a shell can take
   * @throws what the sandbox throws
   */
  async run(command: string, options: AdapterRunOptions<Context> = {}): Promise<string> {
    requireKnownKeys(options, RUN_OPTIONS)
    const checked = this.#check(command)
    if ('refusal' in checked) return checked.refusal
    return withSandbox(this.#factory, options.context, async (sandbox) => {
      const refusal = refuseWords(checked.argv, this.#filters, () => sandbox)
      if (refusal !== undefined) return refusal
      return show(await sandbox.exec(checked.argv, { ...this.#exec, signal: options.signal }))
    })
  }

  /**
   * The same, blocking this thread.
   *
   * @throws {UnsupportedError} saying what to do, where the sandbox cannot
   */
  runSync(command: string): string {
    const { sandbox } = this.#factory
    if (sandbox === undefined) {
      throw new UnsupportedError(
        'runSync() cannot wait for a factory to open a sandbox. Pass a sandbox itself, or use run().',
      )
    }
    if (sandbox.execSync === undefined) {
      throw new UnsupportedError('This sandbox has no execSync(). Use run(), or another sandbox.')
    }
    const checked = this.#check(command)
    if ('refusal' in checked) return checked.refusal
    return show(sandbox.execSync(checked.argv, this.#exec))
  }

  #check(command: string): ReturnType<typeof checkCommand> {
    const checked = checkCommand(requireCommand(command), this.#filters)
    if ('refusal' in checked) return checked
    const refusal = refuseWords(checked.argv, this.#filters, () => this.#place())
    return refusal === undefined ? checked : { refusal }
  }

  #place(): Place {
    return this.#factory.sandbox ?? { workdir: this.workdir, hostWorkdir: undefined }
  }
}

function resolveFilters(options: ShellAdapterOptions): Filters {
  const { blocked, ignore, readonly = false } = options
  const { allowed = requireBoolean(readonly, 'readonly') ? READONLY_COMMANDS : undefined } = options
  return {
    allowed: allowed === undefined ? undefined : requireEntries(allowed, 'allowed'),
    blocked: blocked === undefined ? undefined : requireEntries(blocked, 'blocked'),
    ignore: ignore === undefined ? undefined : requireIgnorePatterns(ignore),
  }
}

function show({ output, exitCode }: ExecResult): string {
  if (exitCode === 0) return output
  const suffix = `[exit code: ${exitCode}]`
  return output === '' ? suffix : `${output}\n${suffix}`
}
