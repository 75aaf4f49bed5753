import { describe, expect, it } from 'vitest'
import { type Backend, backends } from './support/backend.ts'
import { factsOf } from './support/failure.ts'
import { temporaryDirectory } from './support/temporary.ts'

const defaults = {
  binds: [],
  credentials: [],
  allowedUrls: [],
  env: {},
  umask: 0o022,
  timeout: 30,
  limits: {
    maxOutput: 1_048_576,
    maxFileSize: 10_485_760,
    maxFds: 128,
    maxBgJobs: 8,
    maxPipeline: 16,
    maxInput: 1_048_576,
    maxInodes: 10_000,
    maxDepth: 64,
    mirrorMaxFiles: 5000,
    mirrorMaxBytes: 67_108_864,
  },
  skipped: [],
}

describe.each(backends)('describe() and variables ($name)', description)

function description(backend: Backend): void {
  it('describes a sandbox without a config by the engine’s defaults', async () => {
    const sandbox = await backend.open()
    expect(await sandbox.describe()).toEqual(defaults)
  })

  it('describes everything a config set', async () => {
    const source = await temporaryDirectory()
    const limits = {
      maxOutput: 2000,
      maxFileSize: 3000,
      maxFds: 40,
      maxBgJobs: 5,
      maxPipeline: 6,
      maxInput: 7000,
      maxInodes: 800,
      maxDepth: 9,
      mirrorMaxFiles: 100,
      mirrorMaxBytes: 2_000_000,
    }
    const sandbox = await backend.open({
      binds: [
        { source, destination: '/work', readonly: true },
        { source, destination: '/copy', mode: 'copy' },
        { source, destination: '/mirror', exclude: ['node_modules/', '!keep'] },
        { source, destination: '/through', mode: 'passthrough' },
      ],
      credentials: [{ url: 'https://api.example.com/', token: 'a-token-that-is-not-shown' }],
      allowedUrls: ['http://127.0.0.1:8080/path'],
      env: { A: "it's" },
      umask: 0o077,
      timeout: 12.5,
      limits,
    })
    const { credentials, ...rest } = await sandbox.describe()
    expect(rest).toEqual({
      binds: [
        { source, destination: '/work', mode: 'direct', readonly: true },
        { source, destination: '/copy', mode: 'copy', readonly: false },
        {
          source,
          destination: '/mirror',
          mode: 'direct',
          readonly: false,
          exclude: ['node_modules/', '!keep'],
        },
        { source, destination: '/through', mode: 'passthrough', readonly: false },
      ],
      allowedUrls: ['http://127.0.0.1:8080/path'],
      env: { A: "it's" },
      umask: 0o077,
      timeout: 12.5,
      limits,
      skipped: [],
    })
    expect(credentials).toEqual([{ url: 'https://api.example.com/', kind: 'bearer' }])
  })

  it('describes the config, not the session', async () => {
    const sandbox = await backend.open({ env: { A: 'b' } })
    await sandbox.execute('export A=changed NEW=1; umask 0')
    await sandbox.setEnv('B', 'c')
    expect(await sandbox.describe()).toEqual({ ...defaults, env: { A: 'b' } })
  })

  it('a description belongs to the caller', async () => {
    const sandbox = await backend.open()
    Reflect.set(await sandbox.describe(), 'timeout', 1)
    expect(await sandbox.describe()).toEqual(defaults)
  })

  it('a later change of the config object changes nothing', async () => {
    const config = {
      env: { A: 'before' },
      timeout: 10,
      allowedUrls: ['https://a.example'],
      limits: { maxFds: 50 },
    }
    const sandbox = backend.create(config)
    config.env.A = 'after'
    config.timeout = 20
    config.allowedUrls.push('https://b.example')
    config.limits.maxFds = 60
    expect(await sandbox.describe()).toEqual({
      ...defaults,
      env: { A: 'before' },
      timeout: 10,
      allowedUrls: ['https://a.example'],
      limits: { ...defaults.limits, maxFds: 50 },
    })
  })

  it.each(["it's", '$HOME `x` \\ "', '\n\n', '\r\n', '', ' ', 'é😀\ufeff', '\u0001', '-n', '*'])(
    'setEnv takes a value literally, and getEnv and commands see it: %j',
    async (value) => {
      const sandbox = await backend.open()
      await sandbox.setEnv('LITERAL', value)
      expect(await sandbox.getEnv('LITERAL')).toBe(value)
      expect((await sandbox.execute('printf "%s" "$LITERAL"')).stdout).toBe(value)
    },
  )

  it('getEnv sees what commands set, and undefined for what is not set', async () => {
    const sandbox = await backend.open()
    await sandbox.execute('plain=1; export exported=2; gone=3; unset gone')
    expect(
      await Promise.all(['plain', 'exported', 'gone', 'NEVER'].map((name) => sandbox.getEnv(name))),
    ).toEqual(['1', '2', undefined, undefined])
  })

  it('a variable that the session made readonly is not set without a word', async () => {
    const sandbox = await backend.open()
    await sandbox.execute('readonly FIXED=1')
    const facts = await factsOf(sandbox.setEnv('FIXED', '2'))
    expect(facts['code']).not.toBe('WORKER_LOST')
    expect(await sandbox.getEnv('FIXED')).toBe('1')
  })
}
