import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { SessionLoss } from '../../src/index.ts'
import { until } from '../faults/helpers.ts'
import { cellPids } from '../places/cells/cell-pids.ts'
import { cellHost, faultyCell } from '../places/cells/helpers.ts'
import { hostDirectory } from '../strands-shell/support/host-tree.ts'
import { startServer } from '../strands-shell/support/http-server.ts'
import { temporaryDirectory } from '../strands-shell/support/temporary.ts'
import { BEARER, CANARY, everythingSaidBy, tracesIn } from './support/canary.ts'

/** How a cell that has the token ends, and what its loss shows of what it printed; `/./`: anything. */
const ends: readonly (readonly [how: string, fault: string, shown: RegExp])[] = [
  [
    'prints it',
    `writeSync(2, 'a ${CANARY} b ${BEARER}\\n'); process.exit(3)`,
    /^a \[secret\] b Bearer \[secret\]$/,
  ],
  ['throws it', `throw new Error('no ${CANARY}')`, /Error: no \[secret\]/],
  ['rejects with it', `void Promise.reject(new TypeError('${CANARY}'))`, /\[secret\]/],
  ['aborts', `console.error('${CANARY}'); process.abort()`, /\[secret\]/],
  [
    'runs out of heap with it',
    `globalThis.kept = '${CANARY}'.repeat(9); Buffer.alloc(2 ** 27 + 2, 97).toString('latin1').split('')`,
    /JavaScript heap out of memory/,
  ],
  ['writes a report', `console.error(JSON.stringify(process.report.getReport())); process.exit(4)`, /./],
]

it.each(ends)('the output of a dying cell shows no token: a cell that %s', async (_how, fault, shown) => {
  vi.stubEnv('SECRETS_CANARY', CANARY)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const host = cellHost({ cellUrl: faultyCell(fault) })
  const sandbox = await host.open({
    credentials: [{ url: 'https://api.example/', envVar: 'SECRETS_CANARY' }],
  })
  const [pid = 0] = cellPids()
  process.kill(pid, 'SIGUSR2')
  await until(() => sandbox.status === 'lost')
  const error: unknown = await sandbox.execute('true').catch((thrown: unknown) => thrown)
  const output = error instanceof Error && error.cause instanceof SessionLoss ? error.cause.output : undefined
  expect(output).toMatch(shown)
  expect(tracesIn(everythingSaidBy([error, host.stats(), host]))).toEqual([])
})

it('no process and no file shows a token: while its sandbox is open, after its cell is killed, at the end', async () => {
  for (const name of ['HTTP_PROXY', 'http_proxy']) vi.stubEnv(name, undefined)
  vi.stubEnv('SECRETS_CANARY', CANARY)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const cache = await temporaryDirectory()
  vi.stubEnv('STRANDS_SHELL_RUNTIME_CACHE', cache)
  const [own, work] = await Promise.all([startServer(), hostDirectory({ file: 'f' })])
  const configFile = join(await temporaryDirectory(), 'shell.toml')
  const bind = `[[bind]]\nsource = "${work}"\ndestination = "/from-file"\nmode = "direct"\n`
  await writeFile(
    configFile,
    `${bind}[[cred]]\nurl = "https://api.example"\nkind = "bearer"\napi_key = "${CANARY}"\n`,
  )
  const host = cellHost({
    defaults: { credentials: [{ url: own.origin, envVar: 'SECRETS_CANARY' }], allowedUrls: [own.origin] },
  })
  const sandbox = await host.open({
    configFile,
    binds: [{ source: work, destination: '/work', mode: 'copy' }],
  })
  const looks: unknown[] = []
  const look = (when: string) => looks.push([when, tracesOfProcesses(), tracesOfFiles(['/tmp', cache])])
  await sandbox.execute(`curl -s ${own.origin}/a; echo x > /from-file/new; echo y > /work/new`)
  look('open')
  for (const pid of cellPids()) process.kill(pid, 'SIGKILL')
  await until(() => sandbox.status === 'lost')
  look('killed')
  await host.close()
  look('closed')
  expect(looks).toEqual(['open', 'killed', 'closed'].map((when) => [when, [], []]))
  expect(own.seen.map(({ authorization }) => authorization)).toEqual([BEARER])
})

/** Traces in what the system tells of this process and all below it. */
function tracesOfProcesses(): string[] {
  const pids = [process.pid, ...cellPids()]
  expect(pids.length).toBeGreaterThan(0)
  const files = pids.flatMap((pid) =>
    ['cmdline', 'environ', 'comm', 'status', 'maps'].map((name) => `/proc/${pid}/${name}`),
  )
  return files.filter((file) => tracesIn(textOf(file)).length > 0)
}

/** Traces in temporary files of this package, and in everything else that it keeps. */
function tracesOfFiles([temporary = '', ...others]: readonly string[]): string[] {
  const homes = readdirSync(temporary).filter((name) => name.startsWith('strands-shell-'))
  const roots = [...others, ...homes.map((name) => join(temporary, name))]
  return roots.flatMap(filesBelow).filter((file) => tracesIn(textOf(file)).length > 0)
}

function filesBelow(directory: string): string[] {
  try {
    const entries = readdirSync(directory, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  } catch {
    return [] // Another test's, and gone.
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return '' // It has gone.
  }
}
