import { describe, expect, it } from 'vitest'
import type { StrandsShellSandbox } from '../../src/index.ts'
import { makeHost } from '../faults/helpers.ts'
import { hostDirectory } from '../strands-shell/support/host-tree.ts'
import { startServer } from '../strands-shell/support/http-server.ts'
import { tierLevels } from '../support/describe-engines.ts'
import { type Attempt, refused, SECRET, tryAll } from './support/attempts.ts'

interface Places {
  /** The server of the neighbour, whose credential and allowlist it is. */
  readonly server: string
  /** The host directory that the neighbour has at `/work`. */
  readonly work: string
}

/** What the neighbour does before, between and while others try. */
const life = [
  `echo ${SECRET} > /tmp/file; echo ${SECRET} > ~/home; mkdir -p /tmp/d/e; echo ${SECRET} > /tmp/d/e/f; echo ${SECRET} > /work/file`,
  `export NEIGHBOUR=${SECRET}; own=${SECRET}; told() { echo ${SECRET}; }; alias told2='echo ${SECRET}'; set -- ${SECRET}; cd /tmp/d`,
  `trap 'echo ${SECRET}' EXIT; umask 0; readonly KEPT=${SECRET}; exec 5> /tmp/five; echo ${SECRET} >&5`,
  `lua -e 'kept = "${SECRET}"; string.kept = kept'; jq -n '"${SECRET}"' > /tmp/j; echo ${SECRET} | tee /tmp/t`,
]

const attempts: readonly Attempt<Places>[] = [
  ...[
    ['files', '/tmp could be one for all', 'cat /tmp/file ~/home /tmp/d/e/f /tmp/j /tmp/t'],
    [
      'all files',
      'a walk meets what has no name here',
      'grep -r granted / ; find / -name file -o -name home',
    ],
    ['the bind of the other', 'the engine has it bound', 'cat /work/file {work}/file; ls /work {work}'],
    [
      'the place of mirrors',
      'the runtime keeps stamps there',
      'ls -lR /dev/.mirror; cat /dev/.mirror/*; cat /dev/.mirror/*/*',
    ],
    [
      'variables',
      'the process could hold them',
      'env; set; export -p; readonly; echo "$NEIGHBOUR $own $KEPT"',
    ],
    ['functions and aliases', 'as above', 'told; told2; alias; command -v told'],
    ['arguments', 'as above', 'echo "$*" "$#" "$0" "$_" "$!"'],
    ['the working directory', 'a process has one', 'pwd; cd -; cat e/f; echo "$OLDPWD"'],
    [
      'descriptors',
      'a process has one table',
      'for n in 3 4 5 6 7 8 9; do eval "cat <&$n; echo x >&$n"; done',
    ],
    ['traps', 'they run at the end', 'trap; exit 3'],
    [
      'globals of lua',
      'one state for all',
      `lua -e 'print(kept, string.kept) for k in pairs(package.loaded) do print(k) end'`,
    ],
    ['its output', 'jobs are waited for', 'wait; jobs; wait %1; fg'],
    ['its jobs and processes', 'they have numbers', 'kill %1; kill 1; ls /proc; cat /proc/*/cmdline'],
    ['its history', 'shells keep one', 'history; fc -l; cat ~/.*history; cat ~/.sh_history'],
    [
      'its temporary names',
      'they could be guessed',
      'cat /tmp/tmp.*; cat $(mktemp); ls -a /tmp /home /home/lash',
    ],
  ].map(([name = '', why = '', how = '']) => ({ name, why, how, seen: /./ })),
  {
    name: 'its credential',
    why: 'a worker holds both tokens',
    how: 'curl -s {server}/asked-by-another',
    seen: /^[1-9]|egress refused|^0 hello/,
  },
  {
    name: 'its credential, where the server is allowed to both',
    why: 'as above',
    how: 'curl -s {server}/open-to-both',
    config: ({ server }) => ({ allowedUrls: [`${server}/`] }),
    seen: /^0 hello \/open-to-both\n$/,
  },
  {
    name: 'files by calls',
    why: 'calls are not commands',
    how: async (sandbox) => {
      const calls = [
        sandbox.readFile('/tmp/file'),
        sandbox.readFile('/work/file'),
        sandbox.getEnv('NEIGHBOUR'),
      ]
      const ends = await Promise.allSettled(calls)
      return ends.map((end) => (end.status === 'fulfilled' ? (end.value ?? 'nothing') : 'rejected'))
    },
    seen: /^\["rejected","rejected","nothing"\]$/,
  },
]

describe.each(tierLevels)('a neighbour (%s)', (isolation) => {
  it.each(['lives', 'is gone'])('that %s shares nothing with the next sandbox', async (state) => {
    for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'])
      Reflect.deleteProperty(process.env, name)
    const [server, work] = await Promise.all([startServer(), hostDirectory({ seen: SECRET })])
    // One worker and one cell for all, where the level lets them share.
    const host = makeHost({
      isolation,
      hardening: 'none',
      maxCells: 2,
      sandboxesPerCell: 100,
      maxIdleWorkers: 1,
    })
    const neighbour = await host.open({
      binds: [{ source: work, destination: '/work' }],
      credentials: [{ url: server.origin, token: SECRET }],
      allowedUrls: [`${server.origin}/`],
      env: { FROM_CONFIG: SECRET },
    })
    for (const command of life) await neighbour.execute(command)
    await neighbour.execute(`curl -s ${server.origin}/own`)
    const busy = state === 'lives' ? keepBusy(neighbour) : undefined
    if (busy === undefined) await neighbour.close()
    const places = { server: server.origin, work }
    expect(await tryAll(attempts, host, () => ({ timeout: 5 }), places)).toEqual(refused(attempts))
    await busy?.()
    const others = server.seen.filter(({ url }) => url !== '/own')
    expect(others.map(({ url, authorization }) => [url, authorization])).toEqual([
      ['/open-to-both', undefined],
    ])
    // The controls: its credential works, and the neighbour finds its own.
    expect(server.seen.find(({ url }) => url === '/own')?.authorization).toBe(`Bearer ${SECRET}`)
    if (busy !== undefined)
      expect((await neighbour.execute('cat /tmp/file; echo $own')).stdout).toBe(`${SECRET}\n${SECRET}\n`)
  })
})

/** Has a sandbox print and write the secret until it is told to stop. */
function keepBusy(sandbox: StrandsShellSandbox): () => Promise<void> {
  let stopped = false
  const work = async () => {
    while (!stopped)
      await sandbox.execute(`echo ${SECRET}; echo ${SECRET} >&2; echo ${SECRET} > /tmp/again; sleep 0.01`)
  }
  const working = work()
  return () => {
    stopped = true
    return working
  }
}
