import { resolve } from 'node:path'
import { refuse, requirePath } from '../sandbox/arguments.ts'
import { optionsOf, within } from '../sandbox/options-of.ts'
import { CommandSandbox } from './command-sandbox.ts'
import { matching, SHELL_OPTION_NAMES, type ShellOptions } from './options.ts'
import { type SshClientOptions, sshOptionWords } from './ssh-options.ts'

/** Options of {@link ssh}. */
export interface SshOptions extends ShellOptions {
  /** Name, address or `Host` alias; the user is an option of its own. */
  readonly host: string
  /**
   * Who logs in.
   *
   * @default what the user's ssh config says
   */
  readonly user?: string | undefined
  /**
   * From 1 to 65535.
   *
   * @default what the user's ssh config says
   */
  readonly port?: number | undefined
  /**
   * The private key's path.
   *
   * @default the agent's keys, and those of the user's ssh config
   */
  readonly identityFile?: string | undefined
  /**
   * Options of `ssh` itself, such as `{ UserKnownHostsFile: '/path' }`.
   *
   * @default { StrictHostKeyChecking: 'accept-new', ConnectTimeout: 10, ServerAliveInterval: 15, ServerAliveCountMax: 3 }
   */
  readonly options?: SshClientOptions | undefined
}

const hostName = /^[\w:.][\w:%.-]*$/
const userName = /^[\w.@+][\w.@+-]*$/

/**
 * A shell on another machine, reached by the OpenSSH client. It asks nothing, forwards nothing, and reads the user's own
 * ssh config. The remote account's login shell may be any; the machine needs `sh` and `base64`.
 *
 * @throws SandboxConfigError naming the option that is not valid
 */
export function ssh(options: SshOptions): CommandSandbox {
  const { host, user, port, identityFile, options: clientOptions, ...shell } = options ?? {}
  const names = ['host', 'user', 'port', 'identityFile', 'options', ...SHELL_OPTION_NAMES] as const
  optionsOf<SshOptions>(options, names)
  const command = [
    'ssh',
    ...['-T', '-a', '-x', '-o', 'BatchMode=yes', '-o', 'ClearAllForwardings=yes'],
    ...sshOptionWords(clientOptions),
    ...(port === undefined
      ? []
      : ['-p', String(within('port', port, { least: 1, most: 65_535, isWhole: true }))]),
    ...(identityFile === undefined ? [] : ['-i', keyPath(identityFile)]),
    ...(user === undefined
      ? []
      : [
          '-l',
          matching('user', user, userName, 'the name of a user, made of letters, digits and a few signs'),
        ]),
    '--',
    matching(
      'host',
      host,
      hostName,
      'the name or address of a host, made of letters, digits and a few signs',
    ),
  ]
  return new CommandSandbox({ ...shell, command, joinsArguments: true })
}

/** Absolute, and with `%`, which `ssh` expands, doubled. */
function keyPath(path: unknown): string {
  const text = requirePath(path, 'identityFile')
  if (text.includes('${')) throw refuse('identityFile', 'must hold no "${", which ssh would expand.')
  const spelled = text.replaceAll('%', '%%')
  return spelled.startsWith('~/') ? spelled : resolve(spelled)
}
