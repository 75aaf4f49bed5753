import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfigFile } from '../../../src/cli/options/config-file.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'config-test-'))
})
afterAll(() => rm(directory, { recursive: true }))

async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(directory, name)
  await writeFile(path, content)
  return path
}

const toml = `
timeout = 2.5
umask = 0o077
checkpoint = { every = 60, idle = 5 }
onLost = "restore"
allowedUrls = ["http://localhost:8080/"]
configFile = "engine.toml"
[env]
NAME = "value"
[limits]
maxOutput = 100
[[binds]]
source = "src"
destination = "/src"
exclude = ["*.log"]
[[binds]]
source = "/absolute"
destination = "/a"
mode = "copy"
`

describe('a config file', () => {
  const config = () => ({
    timeout: 2.5,
    umask: 0o077,
    checkpoint: { every: 60, idle: 5 },
    onLost: 'restore',
    allowedUrls: ['http://localhost:8080/'],
    configFile: join(directory, 'engine.toml'),
    env: { NAME: 'value' },
    limits: { maxOutput: 100 },
    binds: [
      { source: join(directory, 'src'), destination: '/src', exclude: ['*.log'] },
      { source: '/absolute', destination: '/a', mode: 'copy' },
    ],
  })

  test('in TOML holds the fields of a sandbox config; relative paths are taken from its directory', async () => {
    expect(await readConfigFile(await fileOf('config.toml', toml))).toEqual(config())
  })

  test('in JSON does so, too', async () => {
    const { configFile: _, ...rest } = config()
    const text = JSON.stringify({ ...rest, configFile: 'engine.toml' })
    expect(await readConfigFile(await fileOf('config.json', `\ufeff${text}`))).toEqual(config())
  })

  test('is of the shell that it names, unless another is asked for', async () => {
    const path = await fileOf('bash.toml', 'shell = "bash"\npython = true\nfiles = { "/in" = "x" }\n')
    const held = { shell: 'bash', python: true, files: { '/in': 'x' } }
    expect(await readConfigFile(path)).toEqual(held)
    expect(await readConfigFile(path, 'bash', 'strands')).toEqual(held)
    await expect(readConfigFile(path, 'strands')).rejects.toThrow(
      /: python is a field of the bash shell, and this sandbox has the strands shell\./,
    )
    const unnamed = await fileOf('unnamed.toml', 'python = true\n')
    expect(await readConfigFile(unnamed, undefined, 'bash')).toEqual({ python: true })
    await expect(readConfigFile(unnamed)).rejects.toThrow(/: python is a field of the bash shell/)
  })

  test('may hold nothing', async () => {
    expect(await readConfigFile(await fileOf('empty.toml', ''))).toEqual({})
  })

  test.each([
    ['a.toml', 'timout = 1', 'timout is not a known field. Did you mean "timeout"?'],
    ['a.toml', 'shell = "zsh"', "shell must be 'bash', 'jail' or 'strands', but is \"zsh\" (a string)."],
    ['a.toml', 'binds = [{ source = "a" }]', 'binds[0].destination is missing.'],
    ['a.toml', 'timeout = "5"', /^timeout must be a number of seconds .* but is "5" \(a string\)\./],
    ['a.toml', 'timeout = 1979-05-27', /^timeout must be a number of seconds /],
    ['a.toml', 'timeout = ', 'it is not valid TOML (line 1, column 11).'],
    [
      'a.toml',
      'onInterrupt = "restore"\ncheckpoint = { idle = 5 }',
      /^onInterrupt can be 'restore' with checkpoint: 'call' alone\./,
    ],
    ['a.toml', 'checkpoint = "always"', /^checkpoint must be 'call', 'never' or an object/],
    ['a.json', '{"timeout": 1', /^it is not valid JSON( \(at character 14\))?\.$/],
    ['a.json', '[]', 'it must hold one object, such as {}.'],
    ['a.json', 'null', 'it must hold one object, such as {}.'],
    ['a.json', '{"__proto__": {"timeout": 1}}', /^__proto__ is not a known field\./],
    ['a.toml', Uint8Array.of(0xff), 'it cannot be read (ERR_ENCODING_INVALID_ENCODED_DATA).'],
  ])('%s that holds %j is refused', async (name, content, problem) => {
    const path = await fileOf(name, content)
    const refusal = await readConfigFile(path).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ name: 'CliError', exitCode: 2 })
    const message = refusal instanceof Error ? refusal.message : ''
    expect(message.startsWith(`--config ${JSON.stringify(path)}: `)).toBe(true)
    expect(message.slice(message.indexOf(': ') + 2)).toEqual(
      typeof problem === 'string' ? problem : expect.stringMatching(problem),
    )
  })

  test('that is not there is refused', async () => {
    await expect(readConfigFile('/nope/a.toml')).rejects.toThrow(
      '--config "/nope/a.toml": it cannot be read (ENOENT).',
    )
  })

  test.each([
    ['a.toml', 'credentials = [{ url = "https://a.b/", token = "sekrit" }'],
    ['a.toml', 'credentials = [{ url = "https://a.b/", token = "sekrit\n" }]'],
    ['a.toml', 'credentials = [{ url = "https://a.b/", sekrit = "sekrit" }]'],
    ['a.json', '{"credentials":[{"url":"https://a.b/","token":"sekrit"}'],
    ['a.json', '{"env":{"A":"sekrit"},}'],
  ])('%s that holds a secret keeps it: %j', async (name, content) => {
    const refusal = await readConfigFile(await fileOf(name, content)).catch((error: unknown) => error)
    const { inspect } = await import('node:util')
    expect(inspect(refusal, { depth: 9 })).toMatch(/^CliError: --config /)
    expect(inspect(refusal, { depth: 9, showHidden: true })).not.toContain('sekrit')
  })
})
