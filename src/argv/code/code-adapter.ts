import { randomUUID } from 'node:crypto'
import { posix } from 'node:path'
import { refuse, requireCode } from '../../sandbox/arguments.ts'
import { kindOf, quote } from '../../sandbox/show-value.ts'
import { requireKnownKeys, requireTexts, resolveExecOptions } from '../arguments.ts'
import type { ArgvSandbox, ExecOptions, ExecResult } from '../argv-sandbox.ts'
import { type SandboxFactory, toFactory, withSandbox } from '../factory.ts'
import { pythonListRepr, pythonRepr } from '../python-repr.ts'
import { type AdapterRunOptions, RUN_OPTIONS } from '../shell/shell-adapter.ts'
import { type FileRunner, type LanguageRunner, type LanguageRunners, resolveRunners } from './runners.ts'

/** Options of a {@link CodeAdapter}. */
export interface CodeAdapterOptions {
  /**
   * The languages to run.
   *
   * @default ['python', 'bash']
   */
  readonly languages?: readonly string[] | undefined
  /**
   * How to run languages, over the defaults: python, bash, javascript, typescript and lua have one.
   *
   * @default {}
   */
  readonly runners?: LanguageRunners | undefined
  /**
   * Seconds a program may run.
   *
   * @default undefined (the sandbox's own)
   */
  readonly timeout?: number | undefined
}

const KEYS = ['languages', 'runners', 'timeout']
const NOT_FOUND = 127

/** Runs source code, in a sandbox or in one that a factory opens for each run. */
export class CodeAdapter<Context = unknown> {
  readonly #factory: SandboxFactory<Context>
  readonly #languages: readonly string[]
  readonly #runners: ReadonlyMap<string, readonly LanguageRunner[]>
  readonly #exec: ExecOptions

  /** @throws {SandboxConfigError} naming the option that is not valid, such as a language without a runner */
  constructor(source: ArgvSandbox | SandboxFactory<Context>, options: CodeAdapterOptions = {}) {
    requireKnownKeys(options, KEYS)
    this.#factory = toFactory(source)
    const { languages = ['python', 'bash'], runners = {}, timeout } = options
    this.#runners = resolveRunners(runners)
    this.#languages = requireTexts(languages, 'languages')
    this.#exec = resolveExecOptions({ timeout })
    for (const [index, language] of this.#languages.entries()) {
      if (this.#runners.has(language)) continue
      throw refuse(`languages[${index}]`, `is ${quote(language)}, which has no runner. Give one in runners.`)
    }
  }

  /** The languages it runs. */
  get supportedLanguages(): readonly string[] {
    return this.#languages
  }

  /**
   * Runs code. A language that is not enabled is a result, with exit code 2, for which no sandbox is opened.
   *
   * @throws {SandboxConfigError} with the field `code` or `language` for what is no text
   * @throws what the sandbox throws
   */
  async run(code: string, language: string, options: AdapterRunOptions<Context> = {}): Promise<ExecResult> {
    const text = requireCode(code)
    requireKnownKeys(options, RUN_OPTIONS)
    if (typeof language !== 'string') {
      throw refuse('language', `must be a string, but is ${kindOf(language)}.`)
    }
    const [first, ...others] = this.#languages.includes(language) ? (this.#runners.get(language) ?? []) : []
    if (first === undefined) {
      const output = `Language ${pythonRepr(language)} is not enabled. Available: ${pythonListRepr(this.#languages)}`
      return { output, exitCode: 2 }
    }
    const exec: ExecOptions = { ...this.#exec, signal: options.signal }
    return withSandbox(this.#factory, options.context, (sandbox) =>
      runFirst(sandbox, [first, ...others], text, exec),
    )
  }
}

/** Runs code with the first runner whose program there is. */
async function runFirst(
  sandbox: ArgvSandbox,
  [runner, ...others]: readonly [LanguageRunner, ...LanguageRunner[]],
  code: string,
  exec: ExecOptions,
): Promise<ExecResult> {
  const result = await runWith(sandbox, runner, code, exec)
  const [next, ...rest] = others
  if (result.exitCode !== NOT_FOUND || next === undefined || (await isThere(sandbox, runner, exec)))
    return result
  return runFirst(sandbox, [next, ...rest], code, exec)
}

async function runWith(
  sandbox: ArgvSandbox,
  runner: LanguageRunner,
  code: string,
  exec: ExecOptions,
): Promise<ExecResult> {
  return 'inline' in runner
    ? sandbox.exec([...runner.inline, code], exec)
    : runFile(sandbox, runner, code, exec)
}

/** 127 may also be what the code itself ended with. */
async function isThere(sandbox: ArgvSandbox, runner: LanguageRunner, exec: ExecOptions): Promise<boolean> {
  const [program = ''] = 'inline' in runner ? runner.inline : runner.file
  return (await sandbox.exec([program, '--version'], exec)).exitCode !== NOT_FOUND
}

async function runFile(
  sandbox: ArgvSandbox,
  { file, extension }: FileRunner,
  code: string,
  exec: ExecOptions,
): Promise<ExecResult> {
  const name = `code_${randomUUID().replaceAll('-', '')}.${extension}`
  try {
    await sandbox.putFile(name, new TextEncoder().encode(code))
    return await sandbox.exec([...file, posix.join(sandbox.workdir, name)], exec)
  } finally {
    // The run has its result or its error; a file that cannot be removed changes neither.
    await Promise.allSettled([sandbox.removeFile(name)])
  }
}
