import type { JailMount } from '../../../../src/bubblewrap/plan.ts'
import type { WayOut } from '../../../../src/contract/way-out.ts'

/** What a jail needs to reach the network. */
export interface JailNetwork {
  readonly mounts: readonly JailMount[]
  readonly environment: Readonly<Record<string, string>>
  /** What its first shell runs before all else: it ends the shell where the relay does not start. */
  readonly script: string
  /** Processes and threads that it takes. */
  readonly tasks: number
}

/** Threads of Node, and some. */
const RELAY_TASKS = 16

/** Names that programs read the address of their proxy from. */
const PROXY_NAMES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']
const none: JailNetwork = { mounts: [], environment: {}, script: '', tasks: 0 }

/**
 * How a jail reaches the network.
 *
 * @param way - undefined: it does not.
 * @param directory - where the jail has files of its driver.
 * @param state - a directory that its first shell can write.
 */
export function jailNetwork(way: WayOut | undefined, directory: string, state: string): JailNetwork {
  if (way === undefined) return none
  const { proxy, socket, relay } = way
  const inside = way.inside.join(',')
  const at = (name: string) => `${directory}/${name}`
  const names = PROXY_NAMES.flatMap((name) => [name, name.toLowerCase()])
  return {
    mounts: [
      { kind: 'bind', source: relay.node, destination: at('node') },
      { kind: 'bind', source: relay.script, destination: at('relay.mjs') },
      { kind: 'bind', source: socket, destination: at('proxy') },
    ],
    environment: {
      ...Object.fromEntries(names.map((name) => [name, proxy])),
      NO_PROXY: inside,
      no_proxy: inside,
      // Node's own fetch reads the others where this says so.
      NODE_USE_ENV_PROXY: '1',
    },
    script: `
mkfifo ${state}/relay || exit 1
${at('node')} ${at('relay.mjs')} ${new URL(proxy).port} ${at('proxy')} </dev/null >${state}/relay &
read -r relay <${state}/relay || { echo "The relay to the network did not start." >&2; exit 1; }
rm -f ${state}/relay
`,
    tasks: RELAY_TASKS,
  }
}
