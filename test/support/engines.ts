import type {
  ExecutionResult,
  HostedSandbox,
  Isolation,
  ShellHost,
  StrandsShellConfig,
} from '../../src/index.ts'
import { bashEngine } from './bash-engine.ts'
import { strands } from './strands-engine.ts'
import { isFull } from './tier.ts'

/** What every engine's sandbox has: what the behaviour suites call. */
export type EngineSandbox = HostedSandbox
/** What every engine's config has. */
export type EngineConfig = StrandsShellConfig

/** One engine: how its sandboxes are made, what it can do, and the outputs that are its own. */
export interface Engine {
  readonly name: string
  /** The isolation level at which its suites run in the default tier. */
  readonly level: Isolation
  /** The levels that it has. Absent: every one. */
  readonly levels?: readonly Isolation[]
  /** Makes a sandbox and starts nothing. */
  create(config?: EngineConfig, options?: EngineOptions): EngineSandbox
  /** Makes a sandbox by the static `open()` of its class. */
  openStatic(config?: EngineConfig, options?: EngineOptions): Promise<EngineSandbox>
  readonly capabilities: EngineCapabilities
  /** The state of a fresh session. */
  readonly fresh: {
    readonly home: string
    /** What `env` prints, sorted. */
    readonly environment: readonly string[]
  }
  /** What it writes to standard error. */
  readonly messages: {
    readonly deadline: (seconds: number) => string
    readonly notFound: (command: string) => string
    readonly notSet: (variable: string) => string
    readonly openQuote: string
    readonly strayBracket: string
    /** Of a here-document without its delimiter, whose text is one line. @param word - the delimiter */
    readonly openHereDocument: (word: string) => string
    /** Of a command of so many bytes on one line; undefined where it runs. */
    readonly inputTooLarge: ((bytes: number) => Pick<ExecutionResult, 'exitCode' | 'stderr'>) | undefined
  }
  /** How `curl` ends where it may not go. */
  readonly network: {
    /** Without an allowlist. */
    readonly noNetwork: (host: string) => Pick<ExecutionResult, 'exitCode' | 'stderr'>
    /** Where the allowlist has another address. */
    readonly denied: (url: URL) => Partial<Pick<ExecutionResult, 'exitCode' | 'stderr' | 'stdout'>>
  }
  /** The default of `limits.maxOutput`, in bytes. */
  readonly maxOutput: number
  /** The exit code of a command that does not parse. */
  readonly syntaxError: number
  readonly language: EngineLanguage
}

export interface EngineOptions {
  readonly host?: ShellHost
}

interface EngineCapabilities {
  /** A path that a sandbox may not write, and one that it may not remove; undefined where all may be written. */
  readonly protectedPaths: { readonly write: string; readonly remove: string } | undefined
  /** True where `limits.maxInodes` holds. */
  readonly maxInodes: boolean
  /** True where `umask` is part of the config. */
  readonly umask: boolean
  /** True where binds are copied at open, and direct ones mirrored; else the host's files are read when they are needed. */
  readonly mirrors: boolean
  /** True where a command whose caller gave up ends at its next step, also under `onInterrupt: 'keep'`. */
  readonly stopsAtOnce: boolean
  /** True where output comes as it is made. */
  readonly streaming: boolean
  /** The command after which aliases hold. */
  readonly aliases: string
  /** True where programs, devices and `/proc` are those of the machine. */
  readonly ofMachine: boolean
  /** True where a command of 10 MiB on many lines runs. */
  readonly manyLines: boolean
  /** A command that costs the session; undefined where none is known. */
  readonly fatalCommand: string | undefined
  /** A command that runs on after the engine's own deadline; undefined where none is known. */
  readonly deadlineIgnored: string | undefined
}

/** An interpreter that the engine brings, other than the session's own shell, and statements for it that can be put on lines of their own. */
export interface EngineLanguage {
  readonly name: string
  /** True where code is put into a file for it. */
  readonly staged: boolean
  /** Writes a text of one line to standard output, and nothing else. */
  readonly print: (text: string) => string
  readonly printError: (text: string) => string
  /** Writes a text many times. */
  readonly printTimes: (text: string, times: number) => string
  /** Writes what a file holds. */
  readonly printFile: (path: string) => string
  readonly printVariable: (name: string) => string
  readonly writeFile: (path: string, text: string) => string
  readonly shell: (command: string) => string
  readonly exit: (code: number) => string
  readonly comment: (text: string) => string
  readonly endless: string
  readonly failing: string
  readonly unparsable: { readonly code: string; readonly exitCode: number }
}

/** Every engine: a row here runs all behaviour suites and the contract. Jails have suites of their own in the default tier. */
export const engines: readonly Engine[] = [strands, bashEngine, ...(isFull ? await jails() : [])]

/** None where the machine can have no jails. */
async function jails(): Promise<readonly Engine[]> {
  const [{ jailEngine }, { noJails }] = await Promise.all([import('./jail-engine.ts'), import('./jail.ts')])
  return noJails === undefined ? [jailEngine] : []
}
