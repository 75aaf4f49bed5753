import { chmod, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { BashSandbox } from '../../src/bash/index.ts'
import { type HostedSandbox, StrandsShellSandbox } from '../../src/index.ts'
import { describeEngines, type HostedEngine } from '../support/describe-engines.ts'
import { temporaryDirectory } from './support/temporary.ts'

describeEngines('how a session begins', beginning)

const invalid = (field: string) => expect.objectContaining({ code: 'INVALID_CONFIG', field })

/** A host directory with a file, a script, links and what is not wanted. */
async function fixtures(): Promise<string> {
  const directory = await temporaryDirectory()
  await mkdir(join(directory, 'sub', 'empty'), { recursive: true })
  await mkdir(join(directory, 'node_modules', 'a'), { recursive: true })
  await writeFile(join(directory, 'node_modules', 'a', 'index.js'), 'x')
  await writeFile(join(directory, 'sub', 'text'), 'of the host\n')
  await writeFile(join(directory, 'bytes'), Uint8Array.of(0, 255, 10))
  await writeFile(join(directory, 'script'), 'echo ran\n')
  await chmod(join(directory, 'script'), 0o755)
  await symlink('sub/text', join(directory, 'link'))
  await symlink('/etc/hostname', join(directory, 'out'))
  return directory
}

function beginning(engine: HostedEngine): void {
  const { home } = engine.fresh

  it('has the files, the directory and the script of its config', async () => {
    const sandbox = await engine.open({
      files: {
        '/data/sales.csv': 'a,2\nb,3\n',
        '/data/deep/er/bytes': Uint8Array.of(0, 255),
        '/top': { base64: 'dG9wCg==' },
        '/tmp/in': 'temporary\n',
        [`${home}/own`]: 'of the home\n',
      },
      cwd: '/srv/app',
      init: 'ready=yes; greet() { echo "hello $1"; }; echo made > made; cd ..',
    })
    const { stdout } = await sandbox.execute(
      `pwd; echo $ready; greet you; cat app/made /data/sales.csv /top /tmp/in ${home}/own`,
    )
    expect(stdout).toBe('/srv\nyes\nhello you\nmade\na,2\nb,3\ntop\ntemporary\nof the home\n')
    expect([...(await sandbox.readFile('/data/deep/er/bytes'))]).toEqual([0, 255])
    const write = await sandbox.execute('echo x > /data/new && cat /data/new; echo y >> /top; cat /top')
    expect(write.stdout).toBe('x\ntop\ny\n')
    expect((await sandbox.describe()).binds).toEqual([])
    expect(sandbox.summary.directory).toBe('/srv/app')
  })

  it('begins in its home, without a trace of how it got to another directory', async () => {
    const sandbox = await engine.open()
    expect((await sandbox.execute('pwd')).stdout).toBe(`${home}\n`)
    const other = await engine.open({ cwd: "/it's here" })
    expect((await other.execute('pwd')).stdout).toBe("/it's here\n")
    if (engine.name === 'strands') expect((await other.execute('env')).stdout).not.toContain('OLDPWD')
  })

  it('has writable directories', async () => {
    const sandbox = await engine.open({ writable: ['/workspace', '/var/lib/app', '/tmp/below'] })
    const { exitCode, stdout, stderr } = await sandbox.execute(
      'for d in /workspace /var/lib/app /tmp/below; do mkdir $d/sub && echo $d > $d/sub/f && cat $d/sub/f && rm $d/sub/f; done',
    )
    expect([exitCode, stdout, stderr]).toEqual([0, '/workspace\n/var/lib/app\n/tmp/below\n', ''])
  })

  it('takes in a host directory, and leaves the host alone', async () => {
    const directory = await fixtures()
    const sandbox = await engine.open({
      files: { '/data/in': { directory, exclude: ['node_modules/'] }, '/data/in/script': 'echo own\n' },
    })
    const { stdout } = await sandbox.execute(
      'cd /data/in; for f in *; do echo $f; done; cat sub/text link script; readlink link; ls sub; rm bytes; echo new > new',
    )
    expect(stdout).toBe(
      'bytes\nlink\nscript\nsub\nof the host\nof the host\necho own\nsub/text\nempty\ntext\n',
    )
    expect((await sandbox.describe()).skipped).toEqual([
      { bind: '/data/in', path: '/data/in/out', reason: 'link that leads out' },
    ])
    expect((await readdir(directory)).sort()).toEqual([
      'bytes',
      'link',
      'node_modules',
      'out',
      'script',
      'sub',
    ])
    const whole = await engine.open({ files: { '/in': { directory } } })
    expect((await whole.execute('[ -x /in/script ] && cat /in/node_modules/a/index.js')).stdout).toBe('x')
    expect([...(await whole.readFile('/in/bytes'))]).toEqual([0, 255, 10])
  })

  it('refuses a host directory that is not there, or holds too much', async () => {
    const directory = await temporaryDirectory()
    const gone = engine.open({ files: { '/in': { directory: join(directory, 'gone') } } })
    await expect(gone).rejects.toThrow(invalid('files["/in"].directory'))
    await writeFile(join(directory, 'file'), 'x')
    const file = engine.open({ files: { '/in': { directory: join(directory, 'file') } } })
    await expect(file).rejects.toThrow(invalid('files["/in"].directory'))
    const open = async () => {
      const config = { isolation: engine.isolation, files: { '/in': { directory } } }
      const sandbox: HostedSandbox =
        engine.name === 'bash'
          ? new BashSandbox({ ...config, limits: { maxFileSystem: 2 ** 20 } })
          : new StrandsShellSandbox({ ...config, limits: { mirrorMaxBytes: 2 ** 20 } })
      onTestFinished(() => sandbox.close())
      await sandbox.open()
      return sandbox
    }
    await writeFile(join(directory, 'a'), new Uint8Array(600_000))
    await writeFile(join(directory, 'b'), new Uint8Array(600_000))
    await expect(open()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', value: 2 ** 20 })
    await rm(join(directory, 'b'))
    const fits = await open()
    expect((await fits.readFile('/in/a')).length).toBe(600_000)
  })

  it('names the file that cannot be written', async () => {
    const limits = { maxFileSize: 5 }
    await expect(engine.open({ files: { '/data/a': 'x', '/data/b': 'too long' }, limits })).rejects.toThrow(
      /\/data\/b/,
    )
    // Files are written side by side: either of the two can be the one that has no place.
    await expect(engine.open({ files: { '/data/a': 'x', '/data/a/b': 'y' } })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field: expect.stringMatching(/^files\["\/data\/a(\/b)?"\]$/),
    })
    await expect(engine.open({ files: { '/data': 'x' }, cwd: '/data' })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
    })
  })

  it('begins again with the same files and script after its end', async () => {
    const sandbox = await engine.open({
      files: { '/data/in': 'fresh\n' },
      cwd: '/workspace',
      init: 'x=ready; echo $x > log',
      onInterrupt: 'reset',
      timeout: 5,
    })
    await sandbox.execute('echo changed > /data/in; rm log; cd /; x=lost')
    await expect(sandbox.execute('while :; do :; done', { timeout: 0.2 })).rejects.toMatchObject({
      code: 'TIMEOUT',
    })
    expect(sandbox.generation).toBe(2)
    expect((await sandbox.execute('pwd; cat /data/in log; echo $x')).stdout).toBe(
      '/workspace\nfresh\nready\nready\n',
    )
  })

  it('does not open where its script fails, and says what the script said', async () => {
    const sandbox = engine.create({ init: 'echo to stdout; echo to stderr >&2; exit 3' })
    for (let tries = 0; tries < 2; tries++) {
      const error: unknown = await sandbox.execute('true').catch((thrown: unknown) => thrown)
      expect(error).toEqual(invalid('init'))
      expect(String(error)).toMatch(/exit code 3.*to stdout.*to stderr/)
    }
    const long = await engine
      .open({ init: `printf '%${100_000}d' 1; false` })
      .catch((thrown: unknown) => thrown)
    expect(long).toEqual(invalid('init'))
    expect(String(long).length).toBeLessThan(9000)
  })
}
