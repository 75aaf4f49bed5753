import { optionsOf } from '../sandbox/options-of.ts'
import { CommandSandbox } from './command-sandbox.ts'
import { matching, SHELL_OPTION_NAMES, type ShellOptions } from './options.ts'

/** Options of {@link docker}. */
export interface DockerOptions extends ShellOptions {
  /** Name or id of a container that runs. */
  readonly container: string
  /**
   * Who runs the commands, as `name`, `uid`, `name:group` or `uid:gid`.
   *
   * @default the container's user
   */
  readonly user?: string | undefined
}

const containerName = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/
const userName = /^[a-zA-Z0-9_][a-zA-Z0-9_.-]*(:[a-zA-Z0-9_][a-zA-Z0-9_.-]*)?$/

/**
 * A shell in a container, reached by `docker exec`. The container needs `sh` and `base64`.
 *
 * @throws SandboxConfigError naming the option that is not valid
 */
export function docker(options: DockerOptions): CommandSandbox {
  const { container, user, ...shell } = options ?? {}
  optionsOf<DockerOptions>(options, ['container', 'user', ...SHELL_OPTION_NAMES])
  const who = user === undefined ? [] : ['--user', matching('user', user, userName, 'a user, or user:group')]
  const where = matching('container', container, containerName, 'the name or id of a container')
  return new CommandSandbox({ ...shell, command: ['docker', 'exec', '-i', ...who, where] })
}
