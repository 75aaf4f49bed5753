import { describe, expect, it } from 'vitest'
import {
  ArgvBridge,
  type ArgvBridgeOptions,
  CodeAdapter,
  type ExecOptions,
  LocalSandbox,
  type LocalSandboxOptions,
  ShellAdapter,
} from '../../src/argv/index.ts'
import { asyncRefusalOf, refusalOf } from '../sandbox/refusal.ts'
import { shellSandbox } from './bridge/sandboxes.ts'
import { localSandbox, untyped } from './helpers.ts'

const argvs: readonly [unknown, string][] = [
  ['ls', 'argv'],
  [undefined, 'argv'],
  [['ls', 7], 'argv[1]'],
  [['a\0b'], 'argv[0]'],
  [['ls', '\ud800'], 'argv[1]'],
  [new Array(1), 'argv[0]'],
]

const options: readonly [unknown, string][] = [
  [{ env: { 'A-B': 'x' } }, 'env["A-B"]'],
  [{ env: { A: 7 } }, 'env.A'],
  [{ env: { A: 'a\0' } }, 'env.A'],
  [{ env: 'A=b' }, 'env'],
  [{ timeout: 0 }, 'timeout'],
  [{ timeout: -1 }, 'timeout'],
  [{ timeout: Number.NaN }, 'timeout'],
  [{ timeout: '5' }, 'timeout'],
  [{ timeout: 86_401 }, 'timeout'],
  [{ signal: 'now' }, 'signal'],
  [{ cwd: '/' }, 'cwd'],
  [{ timout: 1 }, 'timout'],
  [null, 'options'],
]

describe.each([
  ['LocalSandbox', () => localSandbox()],
  ['ArgvBridge', () => new ArgvBridge(shellSandbox(), { workdir: '/tmp' })],
] as const)('%s', (_, open) => {
  it.each(argvs)('refuses the argv %j for %s', async (argv, field) => {
    const sandbox = open()
    expect((await asyncRefusalOf(() => sandbox.exec(argv as string[]))).field).toBe(field)
    expect(refusalOf(() => sandbox.execSync(argv as string[])).field).toBe(field)
  })

  it.each(options)('refuses the options %j for %s', async (given, field) => {
    const sandbox = open()
    expect((await asyncRefusalOf(() => sandbox.exec(['true'], given as ExecOptions))).field).toBe(field)
    expect(refusalOf(() => sandbox.execSync(['true'], given as ExecOptions)).field).toBe(field)
  })

  it.each([[''], [7], ['a\0']])('refuses the path %j', async (path) => {
    const sandbox = open()
    expect((await asyncRefusalOf(() => sandbox.putFile(path as string, new Uint8Array()))).field).toBe('path')
    expect((await asyncRefusalOf(() => sandbox.removeFile(path as string))).field).toBe('path')
  })

  it('rejects content that is not bytes', async () => {
    const content = untyped('text')
    expect((await asyncRefusalOf(() => open().putFile('a', content))).field).toBe('content')
  })
})

it.each<[unknown, string]>([
  [{ paht: '/tmp' }, 'paht'],
  [{ path: '' }, 'path'],
  [{ cleanup: 1 }, 'cleanup'],
  [{ timeout: 0 }, 'timeout'],
  [{ maxOutput: 0 }, 'maxOutput'],
  [{ maxOutput: 1.5 }, 'maxOutput'],
  [{ env: { '': 'x' } }, 'env[""]'],
  [{ inheritEnv: false }, 'inheritEnv'],
  [{ inheritEnv: ['A B'] }, 'inheritEnv[0]'],
  [{ languages: 'lua' }, 'languages'],
  [{ languages: null }, 'languages'],
  [null, 'options'],
  [[], 'options'],
])('LocalSandbox refuses the options %j for %s', (given, field) => {
  expect(refusalOf(() => new LocalSandbox(given as LocalSandboxOptions)).field).toBe(field)
})

it.each<[unknown, string]>([
  [{}, 'workdir'],
  [{ workdir: 'work' }, 'workdir'],
  [{ workdir: '/w', host: '/h' }, 'host'],
  [{ workdir: '/w', hostWorkdir: '' }, 'hostWorkdir'],
  [{ workdir: '/w', maxOutput: -1 }, 'maxOutput'],
  [{ workdir: '/w', timeout: 0 }, 'timeout'],
  [{ workdir: '/w', ownsSandbox: 'yes' }, 'ownsSandbox'],
])('ArgvBridge refuses the options %j for %s', (given, field) => {
  expect(refusalOf(() => new ArgvBridge(shellSandbox(), given as ArgvBridgeOptions)).field).toBe(field)
})

it('ArgvBridge rejects a value that is not a sandbox', async () => {
  const none = untyped({})
  expect(refusalOf(() => new ArgvBridge(none, { workdir: '/w' })).field).toBe('sandbox')
  expect((await asyncRefusalOf(() => ArgvBridge.open(none))).field).toBe('sandbox')
})

it.each<[unknown, string]>([
  [null, 'options'],
  [5, 'options'],
  [{ workdri: '/w' }, 'workdri'],
])('ArgvBridge.open refuses the options %j for %s', async (given, field) => {
  expect((await asyncRefusalOf(() => ArgvBridge.open(shellSandbox(), untyped(given)))).field).toBe(field)
})

it.each<[unknown, string]>([
  [null, 'options'],
  [{ sginal: undefined }, 'sginal'],
  [{ signal: 'now' }, 'signal'],
])('a run of an adapter refuses the options %j for %s', async (given, field) => {
  const shell = new ShellAdapter(localSandbox())
  const code = new CodeAdapter(localSandbox())
  expect((await asyncRefusalOf(() => shell.run('true', untyped(given)))).field).toBe(field)
  expect((await asyncRefusalOf(() => code.run('true', 'bash', untyped(given)))).field).toBe(field)
})

it.each<[unknown, string]>([
  [{ languages: null }, 'languages'],
  [{ runners: null }, 'runners'],
  [{ runners: [] }, 'runners'],
])('CodeAdapter refuses the options %j for %s', (given, field) => {
  expect(refusalOf(() => new CodeAdapter(localSandbox(), untyped(given))).field).toBe(field)
})

it('an error never contains the value of a variable', async () => {
  const { message } = await asyncRefusalOf(() => localSandbox().exec(['true'], { env: { A: 'secret\0' } }))
  expect(message).not.toContain('secret')
})
