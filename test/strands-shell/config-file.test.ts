import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Backend, backends } from './support/backend.ts'
import { result } from './support/expected.ts'
import { everythingSaidBy, factsOf, failureOf } from './support/failure.ts'
import { hostDirectory, plant, treeOf } from './support/host-tree.ts'
import { temporaryDirectory } from './support/temporary.ts'

const direct = 'mode = "direct"'
const token = `config-file-token-${process.pid}`

describe.each(backends)('binds of an engine config file ($name)', configFiles)

/** A config file of these lines. */
async function fileOf(...lines: string[]): Promise<string> {
  const configFile = join(await temporaryDirectory(), 'shell.toml')
  await writeFile(configFile, lines.join('\n'))
  return configFile
}

function bindOf(source: string, destination: string, ...more: string[]): string {
  return ['[[bind]]', `source = ${JSON.stringify(source)}`, `destination = "${destination}"`, ...more].join(
    '\n',
  )
}

function configFiles(backend: Backend): void {
  it('rejects a config file that does not exist, and names its path', async () => {
    const sandbox = backend.create({ configFile: '/nowhere/config.toml' })
    await expect(sandbox.open()).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field: 'configFile',
      message: expect.stringContaining('/nowhere/config.toml'),
    })
  })

  it.each([[[]], [['readonly = false']]])('a writable direct one is mirrored: %j', async (more) => {
    const source = await hostDirectory({ file: 'old\n' })
    const configFile = await fileOf(bindOf(source, '/work', direct, ...more))
    const sandbox = await backend.open({ configFile })
    await sandbox.execute('for n in 1 2 3 4 5 6; do echo $n >> /work/log; done; chmod 600 /work/file')
    expect(await treeOf(source)).toEqual({ file: 'old\n', log: '1\n2\n3\n4\n5\n6\n' })
    await plant(source, { file: 'host\n' })
    expect(await sandbox.execute('cat /work/*')).toEqual(result({ stdout: 'host\n1\n2\n3\n4\n5\n6\n' }))
    const { binds, skipped } = await sandbox.describe()
    expect({ binds, skipped }).toEqual({
      binds: [{ source, destination: '/work', mode: 'direct', readonly: false }],
      skipped: [],
    })
    expect((await sandbox.changes()).changes.map(({ path }) => path)).toEqual(['/work/file', '/work/log'])
  })

  it('copy binds, binds without a mode and read-only binds are not mirrored', async () => {
    const source = await hostDirectory({ file: 'old\n' })
    const configFile = await fileOf(
      bindOf(source, '/copy', 'mode = "copy"'),
      bindOf(source, '/seen', direct, 'readonly = true'),
      bindOf(source, '/plain'),
      bindOf(source, '/work', direct),
    )
    const sandbox = await backend.open({ configFile })
    await sandbox.execute('echo c > /copy/file; echo p > /plain/file; echo r > /seen/new; echo w > /work/new')
    expect(await treeOf(source)).toEqual({ file: 'old\n', new: 'w\n' })
    expect(await sandbox.execute('cat /seen/new /copy/file /plain/file')).toEqual(
      result({ stdout: 'w\nc\np\n' }),
    )
  })

  it('applies limits of the config to the binds, and the other settings of the file', async () => {
    const source = await hostDirectory({ a: '1', b: '2', c: '3' })
    const configFile = await fileOf(
      bindOf(source, '/work', direct),
      '[limits]',
      'timeout = 7',
      'max_fds = 55',
    )
    const refused = backend.create({ configFile, limits: { mirrorMaxFiles: 2 } }).open()
    expect(await factsOf(refused)).toMatchObject({ code: 'LIMIT_EXCEEDED', limit: 'limits.mirrorMaxFiles' })
    const { timeout, limits } = await (await backend.open({ configFile })).describe()
    expect({ timeout, maxFds: limits['maxFds'] }).toEqual({ timeout: 7, maxFds: 55 })
  })

  it.each([
    ['direct', {}, 'explicit'],
    ['copy', { mode: 'copy' }, 'explicit'],
    ['read-only', { readonly: true }, 'explicit'],
  ] as const)('an explicit bind of the same place wins: %s', async (_what, how, text) => {
    const inFile = await hostDirectory({ file: 'from the file' })
    const explicit = await hostDirectory({ file: text })
    const configFile = await fileOf(bindOf(inFile, '/work/', direct))
    const sandbox = await backend.open({
      configFile,
      binds: [{ source: explicit, destination: '/work', ...how }],
    })
    expect(await sandbox.execute('cat /work/file; echo new > /work/new')).toMatchObject({ stdout: text })
    expect(await treeOf(inFile)).toEqual({ file: 'from the file' })
    expect((await sandbox.describe()).binds.length).toBe(1)
  })

  it('one inside a mirrored bind stays out of that one’s host directory', async () => {
    const outer = await hostDirectory()
    const inner = await hostDirectory({ file: 'i' })
    const configFile = await fileOf(bindOf(inner, '/work/inner', 'mode = "copy"'))
    const sandbox = await backend.open({ configFile, binds: [{ source: outer, destination: '/work' }] })
    await sandbox.execute('cat /work/inner/file > /work/new')
    expect(await treeOf(outer)).toEqual({ new: 'i' })
  })

  it('resolves a relative source against the working directory', async () => {
    const source = await hostDirectory({ file: 'old\n' })
    const configFile = await fileOf(bindOf(relative(process.cwd(), source), '/work', direct))
    const sandbox = await backend.open({ configFile })
    await sandbox.execute('echo new >> /work/file')
    expect(await treeOf(source)).toEqual({ file: 'old\nnew\n' })
  })

  it('rejects a source that does not exist', async () => {
    const source = join(await temporaryDirectory(), 'missing')
    const configFile = await fileOf(bindOf(source, '/work', direct))
    const opened = backend.create({ configFile }).open()
    expect(await factsOf(opened)).toMatchObject({ name: 'SandboxConfigError', code: 'INVALID_CONFIG' })
    expect((await failureOf(opened)).message).toContain(source)
  })

  it('writes no token of the file to a temporary file or an error', async () => {
    const source = await hostDirectory({ file: 'old\n' })
    const credential = [
      '[[cred]]',
      'url = "https://api.example.com/"',
      'kind = "bearer"',
      `api_key = "${token}"`,
    ].join('\n')
    const sandbox = await backend.open({
      configFile: await fileOf(bindOf(source, '/work', direct), credential),
    })
    expect(temporaryFilesWithToken()).toEqual([])
    const described = await sandbox.describe()
    expect(described.credentials).toEqual([{ url: 'https://api.example.com/', kind: 'bearer' }])
    expect(JSON.stringify(described)).not.toContain(token)
    const broken = await fileOf(bindOf(source, '/work', direct), credential, '[limits]', 'max_fds = "many"')
    const error = await failureOf(backend.create({ configFile: broken }).open())
    expect(error.code).toBe('INVALID_CONFIG')
    expect(everythingSaidBy(error)).not.toContain(token)
    expect(temporaryFilesWithToken()).toEqual([])
  })
}

/** Temporary files of this package that hold the token. Other tests make and remove such files all the time. */
function temporaryFilesWithToken(): string[] {
  const homes = readdirSync(tmpdir()).filter((name) => name.startsWith('strands-shell-'))
  const files = homes.map((name) => join(tmpdir(), name, 'config.toml'))
  return files.filter((file) => existsSync(file) && contentOf(file).includes(token))
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // It is gone again.
    return ''
  }
}
