import { type Command, Option } from 'commander'
import type { BindConfig } from '../../config/types.ts'
import {
  HARDENING_CHOICES,
  type Hardening,
  type HostNetwork,
  ISOLATION_LEVELS,
  type Isolation,
  NETWORK_MODES,
} from '../../contract/isolation.ts'
import { ENGINE_NAMES, type EngineName } from '../../contract/lease.ts'
import { listOf } from './list-of.ts'
import { parseBind } from './parse-bind.ts'
import { parseEnv, type Variable } from './parse-env.ts'
import { type FileOption, parseFile } from './parse-file.ts'
import { parseSeconds } from './parse-seconds.ts'

/** The options that say what a sandbox is, as commander hands them over. */
export interface SandboxOptions {
  /** The path of a config file. */
  readonly config?: string
  readonly shell?: EngineName
  readonly python?: boolean
  readonly bind?: readonly BindConfig[]
  readonly file?: readonly FileOption[]
  readonly writable?: readonly string[]
  readonly init?: string
  readonly allowUrl?: readonly string[]
  readonly env?: readonly Variable[]
  /** Seconds. */
  readonly timeout?: number
  readonly isolation?: Isolation
  readonly network?: HostNetwork
  /** The path of a policy file. */
  readonly policy?: string
  readonly hardening?: Hardening
}

/** What the sandboxes of a subcommand have where the options do not say. */
export interface SandboxDefaults {
  readonly shell: EngineName
  readonly isolation: Isolation
}

/** Adds the options that say what a sandbox is to a subcommand whose sandboxes have these defaults. */
export function addSandboxOptions(command: Command, { shell, isolation }: SandboxDefaults): Command {
  return addShellOption(command, shell)
    .option('--python', 'bash: have python3')
    .option('--config <file>', 'read a sandbox config from a TOML or JSON file; options win over it')
    .option(
      '--bind <SRC:DST[:MODE][:ro]>',
      'show a host directory in the sandbox (repeatable)',
      listOf(parseBind),
    )
    .option(
      '--file <SRC:DST>',
      'begin with a copy of a host file or directory (repeatable)',
      listOf(parseFile),
    )
    .option('--writable <dir>', 'have this directory, in memory (repeatable)', listOf(String))
    .option('--init <script>', 'run this in the session when it opens')
    .option('--allow-url <url>', 'allow an address prefix; see Network (repeatable)', listOf(String))
    .option('--env <NAME=VALUE>', 'set a variable of the session (repeatable)', listOf(parseEnv))
    .option(
      '--timeout <seconds>',
      'end a command after this time, with exit code 124 (default: 30)',
      parseSeconds('--timeout'),
    )
    .addOption(
      new Option('--isolation <level>', `what the sandbox has for itself (default: ${isolation})`).choices(
        ISOLATION_LEVELS,
      ),
    )
    .addOption(
      new Option('--network <mode>', 'what it may reach; all but public imply --isolation process').choices([
        ...NETWORK_MODES,
        'restricted',
      ]),
    )
    .option('--policy <file>', 'let only calls run that a policy allows: rules in JSON, or a module')
    .addOption(
      new Option(
        '--hardening <choice>',
        'whether its process is in a jail; auto and require imply --isolation process',
      ).choices(HARDENING_CHOICES),
    )
}

/** Adds the option that names the shell. */
export function addShellOption(command: Command, fallback: EngineName): Command {
  return command.addOption(
    new Option('--shell <name>', `the shell that runs commands (default: ${fallback})`).choices(ENGINE_NAMES),
  )
}
