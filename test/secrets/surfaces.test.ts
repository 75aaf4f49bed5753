import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { SANDBOX_EVENTS } from '../../src/host/event-data.ts'
import {
  auditLog,
  type EngineName,
  type ErrorCode,
  SandboxError,
  type ShellHost,
  type StrandsShellSandbox,
} from '../../src/index.ts'
import { sandboxTools } from '../../src/tools/index.ts'
import { faultyWorker, makeHost } from '../faults/helpers.ts'
import { hostDirectory } from '../strands-shell/support/host-tree.ts'
import { startServer } from '../strands-shell/support/http-server.ts'
import { tierLevels } from '../support/describe-engines.ts'
import { BEARER, CANARY, everythingSaidBy, tracesIn } from './support/canary.ts'
import { makeWorld, type World } from './support/world.ts'

/** Something that shows itself, or gives something to look at. */
type Surface = readonly [name: string, of: (world: World) => unknown]

const objects: readonly Surface[] = [
  ['the sandbox', ({ sandbox }) => sandbox],
  ['what the sandbox says of itself', ({ sandbox }) => [sandbox.summary, sandbox.status, String(sandbox)]],
  ['the host', ({ host }) => host],
  ['the figures of the host', ({ host }) => host.stats()],
  ['the list of the host', ({ host }) => host.list()],
  ['describe()', ({ sandbox }) => sandbox.describe()],
  ['changes()', ({ sandbox }) => sandbox.changes()],
  ['a variable', ({ sandbox }) => sandbox.getEnv('SECRETS_CANARY')],
  [
    'the tools for a model',
    ({ sandbox }) => sandboxTools(sandbox).map(({ name, title, description }) => [name, title, description]),
  ],
  ['the calls that are under way', ({ sandbox }) => [sandbox.execute('sleep 0.05'), sandbox]],
  ['the timers and handles of this process', () => process.getActiveResourcesInfo()],
  ['a report of this process, its environment apart', () => reportWithoutEnvironment()],
]

/** What an agent runs. */
const commands: readonly string[] = [
  'env; set; export -p; export; alias; trap; readonly',
  'echo "$SECRETS_CANARY $Authorization $TOKEN $HTTP_PROXY"',
  'cat /proc/self/environ /proc/self/cmdline /proc/1/environ /proc/*/environ; ls -lR /proc /dev /tmp /home',
  'find / -type f | while read -r f; do cat "$f"; done; grep -r canary / 2>/dev/null',
  'jq -n env; jq -n "input_filename, \\$__prog_args"; jq -n "\\$ENV"',
  `lua -e 'for k, v in pairs(_G) do print(k, v) end for k, v in pairs(os) do print(k, v) end print(os.getenv)'`,
  `lua -e 'print(pcall(os.getenv, "SECRETS_CANARY")) print(pcall(io.open, "/proc/self/environ"))'`,
  'history; set -x; curl -s OWN/traced; set +x',
  'curl -v -i OWN/verbose; curl -s -i OWN/denied; curl -f OWN/denied; curl -sS OWN/die; curl -v OWN/die',
  'curl -v -L OWN/away; curl -L -i -s LOCAL/away; curl -s -I OWN/head; curl -v -X OPTIONS OWN/options',
  `curl -w '%{json} %{url_effective} %{header_json}' OWN/w; curl --trace - OWN/t; curl --trace-ascii - OWN/t`,
  'curl -v -o /tmp/out OWN/file; cat /tmp/out; curl -D - OWN/dump; curl --libcurl - OWN/code; curl -c - OWN/jar',
  'curl -v OTHER/not-its-own; curl -v LOCAL/by-name; curl -v HTTP://127.0.0.1:1/; curl --help; curl --version',
  'find /tmp -maxdepth 0 -exec [ a = ] \\;',
]

/** How each class of error is met, and its code. */
const failures: readonly (readonly [code: ErrorCode, how: (world: World) => Promise<unknown>])[] = [
  ['PATH_NOT_FOUND', ({ sandbox }) => sandbox.readFile('/tmp/none')],
  ['PERMISSION_DENIED', ({ sandbox }) => sandbox.writeText('/etc/none', 'x')],
  ['LIMIT_EXCEEDED', ({ sandbox }) => sandbox.writeText('/tmp/large', 'x'.repeat(200_000))],
  ['IO_ERROR', ({ sandbox }) => sandbox.readFile('/tmp')],
  // Later calls of its session wait until it ends.
  ['TIMEOUT', ({ sandbox, own }) => sandbox.execute(`curl -s ${own.origin}/slow`, { timeout: 0.1 })],
  [
    'ABORTED',
    ({ sandbox, own }) => {
      const signal = AbortSignal.timeout(100)
      return sandbox.execute(`curl -s ${own.origin}/slow`, { signal })
    },
  ],
  ['MIRROR_FAILED', ({ host }) => inFresh(host.open(), 'echo x > /work/link')],
  ['INVALID_CONFIG', ({ sandbox }) => sandbox.execute('true', { env: { A: `${CANARY}\0` } })],
  [
    'INVALID_CONFIG',
    ({ host }) => host.open({ credentials: [{ url: `https://${CANARY}/x`, token: CANARY }] }),
  ],
  ['INVALID_CONFIG', ({ host }) => host.open({ binds: [{ source: '/no/such/place', destination: '/x' }] })],
  ['INVALID_CONFIG', ({ host }) => host.open({ env: { A: CANARY, 'B-C': CANARY } })],
  ['CLOSED', ({ host }) => host.open().then((one) => one.close().then(() => one.execute('true')))],
  ['WORKER_LOST', ({ host }) => inFresh(host.open(), 'find /tmp -maxdepth 0 -exec [ a = ] \\;')],
  ['WORKER_LOST', ({ host, own }) => inFresh(host.open({ timeout: 0.1 }), `curl -s ${own.origin}/hang`)],
  ['WORKER_LOST', ({ hostWith }) => inFresh(hostWith({ workerUrl: faultyWorker }).open(), 'fault throw')],
  [
    'PROTOCOL',
    ({ hostWith }) =>
      hostWith({ isolation: 'worker', workerUrl: faultyWorker }).open({ env: { HOSTILE: 'reply-text' } }),
  ],
  [
    'HOST_SATURATED',
    async ({ hostWith }) => {
      const host = hostWith({ maxSandboxes: 1, maxQueued: 0 })
      await host.open({}, { id: 'held' })
      return host.open()
    },
  ],
]

describe.each(tierLevels)('a credential (%s)', (isolation) => {
  it('is in no printed object and in no output of a command', async () => {
    const world = await makeWorld(isolation)
    const { sandbox, host, own, other, told } = world
    const said: [surface: string, text: string][] = []
    for (const [name, of] of objects) said.push([name, everythingSaidBy(await of(world))])
    const local = own.origin.replace('127.0.0.1', 'localhost')
    for (const command of commands) {
      const text = command
        .replaceAll('OWN', own.origin)
        .replaceAll('LOCAL', local)
        .replaceAll('OTHER', other.origin)
      const result = await sandbox.execute(text).catch((error: unknown) => error)
      said.push([command, everythingSaidBy(result)])
    }
    const calls = sandboxTools(sandbox).map((tool) =>
      tool.run({ command: 'env; curl nope', path: '/none', content: 1, code: 'env', language: 'sh' }),
    )
    said.push(['what tools answer', everythingSaidBy(await Promise.allSettled(calls))])
    await sandbox.close()
    said.push(['the sandbox, closed', everythingSaidBy(sandbox)], ['the host, later', everythingSaidBy(host)])
    said.push(['events', everythingSaidBy(told)], ['audit', await world.logged()])
    expect(
      said.map(([name, text]) => [name, tracesIn(text)]).filter(([, traces]) => traces?.length !== 0),
    ).toEqual([])
    // The controls: it went where it belongs, every time, and nowhere else.
    expect(own.seen.length).toBeGreaterThan(10)
    expect([...new Set(own.seen.map(({ authorization }) => authorization))]).toEqual([BEARER])
    expect(other.seen.map(({ url }) => url)).toEqual(expect.arrayContaining(['/landed', '/not-its-own']))
    expect(tracesIn(everythingSaidBy(other.seen))).toEqual([])
    expect(told.length).toBeGreaterThan(2)
    expect((await world.logged()).split('\n').length).toBeGreaterThan(told.length)
  })

  it('is in no error of any class', async () => {
    const world = await makeWorld(isolation)
    const ends = failures.map(async ([code, how]) => {
      const error: unknown = await how(world).catch((thrown: unknown) => thrown)
      const met = error instanceof SandboxError ? error.code : 'none'
      return [code, met, tracesIn(everythingSaidBy(error))]
    })
    expect(await Promise.all(ends)).toEqual(failures.map(([code]) => [code, code, []]))
    expect(tracesIn(everythingSaidBy([world.told, world.host.stats(), world.host]))).toEqual([])
    expect(tracesIn(await world.logged())).toEqual([])
    expect([...new Set(world.own.seen.map(({ authorization }) => authorization))]).toEqual([BEARER])
  })
})

it.each(['strands', 'bash'] as const)(
  'a value of secretEnv of a %s call is in no event and in no line of the audit log',
  async (shell) => {
    const lines: string[] = []
    await using audit = auditLog({ write: (text) => lines.push(text), events: 'all' })
    const work = await hostDirectory({ file: 'f' })
    const own = await startServer()
    const host: ShellHost<EngineName> = makeHost({ isolation: 'process', audit })
    const told: unknown[] = []
    for (const event of SANDBOX_EVENTS) host.on(event, (data) => told.push(data))
    const binds = [{ source: work, destination: '/work' }]
    const sandbox = await host.open({ shell, binds, allowedUrls: [own.origin] })
    const options = { secretEnv: { TOKEN: CANARY } }
    const calls = [
      () => sandbox.execute(`echo "$TOKEN" ${CANARY}; printf %s "$TOKEN" > "/work/$TOKEN"`, options),
      () => sandbox.execute(`curl -s "${own.origin}/$TOKEN?token=$TOKEN"; exit 3`, options),
      () => sandbox.execute(`sleep 1; echo ${CANARY}`, { ...options, timeout: 0.05 }),
      () => sandbox.executeCode(`echo ${CANARY} "$TOKEN"`, 'sh', options),
      () => sandbox.readFile(`/none/${CANARY}`),
      async () => {
        const call = sandbox.execute('sleep 0.5; printf mine > "/work/$TOKEN"', options)
        await sleep(150)
        await writeFile(join(work, CANARY), 'theirs')
        await call
      },
      () => sandbox.copy(`/work/${CANARY}`, `/tmp/${CANARY}`),
    ]
    for (const call of calls) await call().catch((error: unknown) => error)
    await host.close()
    await audit.flush()
    const text = lines.join('')
    expect([tracesIn(text), tracesIn(everythingSaidBy(told))]).toEqual([[], []])
    // The controls: it went where it belongs, and the log has the calls.
    expect(text.includes('"kind":"conflict"')).toBe(shell === 'strands')
    expect(own.seen.map(({ url }) => url)).toEqual([`/${CANARY}?token=${CANARY}`])
    expect(text.match(/"kind":"(?:command|file)"/g)).toHaveLength(calls.length)
  },
)

async function inFresh(opening: Promise<StrandsShellSandbox>, command: string): Promise<unknown> {
  return (await opening).execute(command)
}

/** The canary is in the environment of this process, by intent. */
function reportWithoutEnvironment(): unknown {
  const text = JSON.stringify(process.report.getReport())
  return JSON.parse(text, (key, value) => (key === 'environmentVariables' ? undefined : value))
}
