import fc from 'fast-check'
import { afterAll, expect } from 'vitest'
import { SandboxConfigError, ShellHost, StrandsShellSandbox } from '../../src/index.ts'
import { outcomeOf } from './support/documented.ts'
import { fuzz } from './support/fuzz.ts'
import { armed, junk, mostly, oddNumber, oddText } from './support/junk.ts'

let started = 0
process.on('worker', () => {
  started += 1
})
const host = new ShellHost({ isolation: 'worker' })
afterAll(() => host.close())

const variables = fc.dictionary(
  fc.oneof({ weight: 12, arbitrary: fc.constantFrom('A', 'PATH', '_x') }, { weight: 1, arbitrary: oddText }),
  mostly(fc.string(), oddText),
  { maxKeys: 3 },
)
const limits = fc.dictionary(
  fc.constantFrom(
    'maxOutput',
    'maxFds',
    'maxInodes',
    'mirrorMaxFiles',
    'maxDepth',
    'maxInput',
    'maxoutput',
    '__proto__',
  ),
  mostly(fc.integer({ min: 1, max: 2 ** 32 - 1 }), oddNumber),
  { maxKeys: 2 },
)
const bind = fc.record(
  {
    source: mostly(fc.constantFrom('/tmp', 'src', '/nope', '/srv')),
    destination: mostly(fc.constantFrom('/a', '/b//', '/c/.', '/d', '/tmp', '/d/..', 'e')),
    mode: mostly(fc.constantFrom('direct', 'copy', 'passthrough')),
    readonly: mostly(fc.boolean()),
    exclude: mostly(fc.array(mostly(fc.constantFrom('*.log', 'a/')), { maxLength: 3 })),
  },
  { requiredKeys: ['source', 'destination'] },
)
const credential = fc.record(
  { url: mostly(fc.webUrl()), token: mostly(fc.constant('t0ken')), envVar: mostly(fc.constant('TOKEN')) },
  { requiredKeys: ['url', 'token'] },
)
const content = fc.oneof(
  oddText,
  fc.uint8Array({ maxLength: 4 }),
  fc.record({ base64: mostly(fc.base64String(), oddText) }),
  fc.record({ directory: mostly(fc.constant('fixtures'), oddText), exclude: mostly(fc.constant(['*.log'])) }),
)
const path = mostly(fc.constantFrom('/data/in', '/work/', '/'), oddText)
const fields = {
  files: mostly(
    fc.dictionary(fc.oneof(fc.constantFrom('/data/in', '/in'), oddText), mostly(content), { maxKeys: 3 }),
  ),
  cwd: path,
  init: mostly(fc.constant('x=1'), oddText),
  writable: mostly(fc.array(path, { maxLength: 2 })),
  network: mostly(fc.constant('restricted'), oddText),
  binds: mostly(fc.array(mostly(bind), { maxLength: 2 })),
  credentials: mostly(fc.array(mostly(credential), { maxLength: 1 })),
  allowedUrls: mostly(fc.array(mostly(fc.webUrl(), oddText), { maxLength: 2 })),
  env: mostly(variables),
  umask: mostly(fc.nat(0o777), oddNumber),
  timeout: mostly(fc.double({ min: 0.001, max: 86_400, noNaN: true }), oddNumber),
  limits: mostly(limits),
  configFile: mostly(fc.constant('shell.toml'), oddText),
  isolation: mostly(fc.constantFrom('worker', 'shared', 'process')),
  onInterrupt: mostly(fc.constantFrom('keep', 'reset')),
  onLost: mostly(fc.constantFrom('reopen', 'fail')),
  maxPending: mostly(fc.nat(), oddNumber),
}
const config = fc.oneof(
  { weight: 20, arbitrary: fc.record(fields, { requiredKeys: [] }) },
  { weight: 2, arbitrary: fc.record({ ...fields, timout: junk }, { requiredKeys: ['timout'] }) },
  { weight: 1, arbitrary: junk },
)

const ends = { accepted: 0, refused: 0 }

async function made(make: () => StrandsShellSandbox): Promise<void> {
  const end = await outcomeOf(make)
  if ('value' in end) {
    ends.accepted += 1
    expect(end.value.status).toBe('new')
    await end.value.close()
  } else {
    ends.refused += 1
    expect(end.error).toBeInstanceOf(SandboxConfigError)
  }
  expect(started).toBe(0)
}

fuzz({
  target: 'config',
  title: 'a sandbox config is taken, or refused with its field; nothing starts',
  cases: 350,
  input: fc.tuple(config, fc.oneof(fc.constant(undefined), fc.record({ host: junk }), junk)),
  examples: [
    [{ timeout: 1 }, undefined],
    [{ timout: 1 }, undefined],
  ],
  holds: async (given) => {
    const [value, options] = given.map(armed)
    await made(() => Reflect.construct(StrandsShellSandbox, [value]))
    await made(() => Reflect.construct(StrandsShellSandbox, [value, options]))
    await made(() => Reflect.apply(host.sandbox, host, [value]))
  },
  ends: () => [ends.accepted, ends.refused],
})

const hostNames = [
  'isolation',
  'maxSandboxes',
  'maxQueued',
  'openTimeout',
  'warm',
  'sandboxesPerWorker',
  'sandboxesPerCell',
  'maxCells',
  'maxCellMemory',
  'cellBackoff',
  'network',
  'maxRunning',
  'idleTimeout',
  'maxLifetime',
  'defaults',
  'maxRetired',
  'maxIdleWorkers',
  'idleWorkerTimeout',
  'workerUrl',
  'cellUrl',
]
const hostOptions = fc.dictionary(
  fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...hostNames) }, { weight: 1, arbitrary: oddText }),
  fc.oneof(fc.constantFrom<unknown>('worker', 'none', 1, 2, undefined), oddNumber, config, junk),
  { maxKeys: 3 },
)

fuzz({
  target: 'config',
  title: 'the options of a host are taken, or refused with their field; nothing starts',
  cases: 250,
  input: mostly(hostOptions).filter(startsNothing),
  holds: async (options) => {
    const end = await outcomeOf(() => Reflect.construct(ShellHost, [armed(options)]) as ShellHost)
    if ('value' in end) await end.value.close()
    else expect(end.error).toBeInstanceOf(SandboxConfigError)
    expect(started).toBe(0)
  },
})

/** Warm places are there to start something. */
function startsNothing(options: unknown): boolean {
  if (typeof options !== 'object' || options === null || !('warm' in options)) return true
  return typeof options.warm !== 'number' || !(options.warm >= 1)
}

const callOptions = mostly(
  fc.record(
    {
      timeout: mostly(oddNumber),
      signal: mostly(fc.constant(AbortSignal.abort())),
      cwd: mostly(oddText),
      env: mostly(variables),
      since: mostly(oddText),
      bind: mostly(oddText),
      paths: mostly(fc.array(oddText)),
    },
    { requiredKeys: [] },
  ),
)
const methods = [
  'execute',
  'executeCode',
  'readFile',
  'readText',
  'writeFile',
  'writeText',
  'removeFile',
  'listFiles',
  'getEnv',
  'setEnv',
  'changes',
  'applyChanges',
] as const

fuzz({
  target: 'config',
  title: 'a call with wrong arguments is refused with their field; nothing starts',
  cases: 300,
  input: fc.tuple(
    fc.constantFrom(...methods),
    fc.array(fc.oneof(junk, oddText, callOptions), { maxLength: 3 }),
  ),
  holds: async ([method, args]) => {
    // A sandbox that is closed: what is right is refused with `CLOSED`.
    const sandbox = new StrandsShellSandbox()
    await sandbox.close()
    const end = await outcomeOf(() => Reflect.apply(sandbox[method], sandbox, args.map(armed)))
    expect('error' in end && end.error.code).toMatch(/^(INVALID_CONFIG|CLOSED|ABORTED)$/)
    expect(started).toBe(0)
  },
})
