import { optionsOf } from '../sandbox/options-of.ts'
import { CommandSandbox } from './command-sandbox.ts'
import { SHELL_OPTION_NAMES, type ShellOptions } from './options.ts'

/** Options of {@link localShell}. */
export type LocalShellOptions = ShellOptions

/**
 * A shell of this machine, with this process's rights: it keeps commands apart from this process's environment, and from
 * nothing else.
 *
 * @throws SandboxConfigError naming the option that is not valid
 */
export function localShell(options: LocalShellOptions = {}): CommandSandbox {
  return new CommandSandbox({ ...shellOptionsOf(options), command: [] })
}

function shellOptionsOf(options: LocalShellOptions): LocalShellOptions {
  optionsOf<LocalShellOptions>(options, SHELL_OPTION_NAMES)
  return options
}
