import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { JailSandbox } from '../../src/jail/index.ts'
import { noJails } from '../support/jail.ts'

/** What a jail needs of its root. `sh` is bash there, as in some distributions. */
const programs = [
  'bash',
  'cat',
  'cp',
  'find',
  'head',
  'ls',
  'mkdir',
  'mkfifo',
  'mv',
  'realpath',
  'rm',
  'sleep',
]
const more = ['stat', 'tar', 'sed']

/** A program's path, and those of its libraries. */
function filesOf(program: string): string[] {
  const path = `/usr/bin/${program}`
  const libraries = execFileSync('ldd', [path], { encoding: 'utf8' }).match(/\/\S+(?= \(0x)/g) ?? []
  return [path, ...libraries]
}

describe.skipIf(noJails !== undefined)('a jail whose root is a directory', () => {
  let root: string
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'jail-root-'))
    for (const path of new Set([...programs, ...more].flatMap(filesOf))) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      cpSync(realpathSync(path), join(root, path))
    }
    for (const name of ['bin', 'lib', 'lib64'].filter((each) => realpathSync(`/${each}`) !== `/${each}`)) {
      mkdirSync(join(root, 'usr', name), { recursive: true })
      // Libraries were copied to where the links lead.
      rmSync(join(root, name), { recursive: true, force: true })
      symlinkSync(`usr/${name}`, join(root, name))
    }
    for (const library of new Set([...programs, ...more].flatMap(filesOf))) {
      if (library.startsWith('/lib')) {
        mkdirSync(dirname(join(root, 'usr', library)), { recursive: true })
        cpSync(realpathSync(library), join(root, 'usr', library))
      }
    }
    symlinkSync('bash', join(root, 'usr/bin/sh'))
    mkdirSync(join(root, 'etc'))
    writeFileSync(join(root, 'etc/os-release'), 'NAME=Small\n')
    writeFileSync(join(root, 'etc/shadow'), 'secret\n')
  })
  afterAll(() => rmSync(root, { recursive: true }))

  it('has the programs and settings of that directory, and none of the host', async () => {
    await using sandbox = await JailSandbox.open({ root, files: { '/work/a': 'text' } })
    const { stdout, stderr } = await sandbox.execute(
      '. /etc/os-release; echo $NAME; type git python3; cat /etc/shadow; cat /work/a; echo x >/usr/bin/new',
    )
    expect(stdout).toBe('Small\ntext')
    expect(stderr.match(/not found|No such file|Read-only/g)).toEqual([
      'not found',
      'not found',
      'No such file',
      'Read-only',
    ])
    await sandbox.writeText('/work/b', 'b')
    expect((await sandbox.listFiles('/work')).map(({ name }) => name)).toEqual(['a', 'b'])
  })

  it('keeps the state of bash that goes by the name of sh, functions too', async () => {
    await using sandbox = await JailSandbox.open({ root, interpreter: 'sh' })
    await sandbox.execute('x=1; f() { echo "f $x"; }; cd /tmp')
    expect(await sandbox.execute('exit 3')).toMatchObject({ exitCode: 3, stderr: '' })
    expect((await sandbox.execute('f; pwd')).stdout).toBe('f 1\n/tmp\n')
  })

  it('tells what is missing where the directory has no shell', async () => {
    const empty = mkdtempSync(join(root, 'empty-'))
    mkdirSync(join(empty, 'usr'))
    await expect(JailSandbox.open({ root: empty })).rejects.toMatchObject({ code: 'INVALID_CONFIG' })
    await expect(JailSandbox.open({ root: '/none/such' })).rejects.toMatchObject({ code: 'INVALID_CONFIG' })
  })
})
