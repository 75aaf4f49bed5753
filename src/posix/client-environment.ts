import { basename } from 'node:path'
import { HARMLESS_VARIABLES } from '../sandbox/harmless-variables.ts'

/** What decides the environment of a client. */
export interface ClientTraits {
  /** The first word of the prefix; absent for a local shell. */
  readonly program: string | undefined
  readonly shell: string
  /** `true`: everything of this process; a list: further names. */
  readonly inherit: boolean | readonly string[]
}

const harmless = [...HARMLESS_VARIABLES, /^LC_[A-Z]+$/]

/** What clients need to find the place they are to reach. */
const needed: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  ssh: ['SSH_AUTH_SOCK'],
  docker: [/^DOCKER_[A-Z_]+$/],
  podman: ['CONTAINER_HOST', 'CONTAINER_SSHKEY', 'XDG_RUNTIME_DIR'],
  kubectl: ['KUBECONFIG'],
}

/**
 * The environment of the process that reaches the shell, which a local shell hands on to its commands.
 */
export function clientEnvironment(
  { program, shell, inherit }: ClientTraits,
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  const own = program === undefined ? [] : (needed[basename(program)] ?? [])
  const wanted = [...harmless, ...own, ...(typeof inherit === 'boolean' ? [] : inherit)]
  const isWanted = (name: string) =>
    inherit === true || wanted.some((rule) => (typeof rule === 'string' ? rule === name : rule.test(name)))
  const chosen = Object.entries(env).filter(([name]) => isWanted(name))
  // At its top level bash takes a socket on standard input for a remote login and reads .bashrc; Node's pipes are sockets.
  return Object.fromEntries(basename(shell) === 'bash' ? [...chosen, ['SHLVL', '1']] : chosen)
}
