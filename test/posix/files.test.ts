import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CommandSandbox, localShell } from '../../src/posix/index.ts'
import { factsOf, failureOf } from '../strands-shell/support/failure.ts'
import { temporaryDirectory } from '../strands-shell/support/temporary.ts'
import { codePoint } from '../support/code-point.ts'
import { byTier, cases, sample } from '../support/tier.ts'
import { describePlaces, type Place } from './support/places.ts'

/** Names by what could misread them. */
const oddNamesOf: Readonly<Record<string, readonly string[]>> = {
  options: ['-rf', '-', '--'],
  words: ["it's", ' ', '"', '\\', '(', '#', '!', '='],
  expansions: ['$HOME', '`x`', '~', '*', '?', '[a]'],
  dots: ['..two', '.hidden', '...', '.[!.]*', '..?*'],
  lines: ['end\n', 'a\nb', '\n', 'cr\r\n', '\t'],
  'other scripts': ['żółć 😀'],
  messages: [': Permission denied', 'x: No such file or directory', 'EOF'],
}
/** All in the full tier; in the default tier one of each kind: each is written, read, listed and removed by programs. */
const oddNames = sample(
  Object.entries(oddNamesOf).flatMap(([kind, names]) => names.map((name) => ({ kind, name }))),
  ({ kind }) => kind,
).map(({ name }) => name)

/** Any name a directory can hold: up to 255 bytes, no slash, no NUL. */
const fileName = fc
  .string({ unit: codePoint, minLength: 1, maxLength: 60 })
  .filter((name) => !/[/\0]/.test(name) && name !== '.' && name !== '..' && name.isWellFormed())

const notFound = (path: string) => ({ name: 'SandboxPathNotFoundError', code: 'PATH_NOT_FOUND', path })
const ioError = (path: string) => ({ name: 'SandboxIoError', code: 'IO_ERROR', path })
const denied = (path: string) => ({ name: 'SandboxPermissionError', code: 'PERMISSION_DENIED', path })
const bytesOf = (size: number) =>
  Buffer.from(Array.from({ length: size }, (_, i) => (i * 7 + (i >> 8)) & 255))

function describeFiles(place: Place): void {
  const at = (...parts: string[]) => join(place.directory, ...parts)
  const runs = place.name === 'ssh' ? 5 : cases(20)

  it('any name and any bytes come back as they were written', async () => {
    const sandbox = place.open({ cwd: place.directory })
    mkdirSync(at('any'))
    await fc.assert(
      fc.asyncProperty(fileName, fc.uint8Array({ maxLength: 300 }), async (name, bytes) => {
        await sandbox.writeFile(`any/${name}`, bytes)
        expect(readFileSync(at('any', name))).toEqual(Buffer.from(bytes))
        expect(Buffer.from(await sandbox.readFile(at('any', name)))).toEqual(Buffer.from(bytes))
        expect(await sandbox.listFiles('any')).toEqual([{ name, isDir: false }])
        await sandbox.removeFile(`any/${name}`)
        expect(readdirSync(at('any'))).toEqual([])
      }),
      { numRuns: runs, examples: [['-n', new Uint8Array()]] },
    )
  })

  it('names that a shell or a tool could misread are only names', async () => {
    const sandbox = place.open({ cwd: at('odd') })
    mkdirSync(at('odd'))
    await Promise.all(oddNames.map((name) => sandbox.writeText(name, name)))
    expect(readdirSync(at('odd')).sort()).toEqual([...oddNames].sort())
    expect(await Promise.all(oddNames.map((name) => sandbox.readText(name)))).toEqual(oddNames)
    const sorted = [...oddNames].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    expect(await sandbox.listFiles('.')).toEqual(sorted.map((name) => ({ name, isDir: false })))
    await Promise.all(oddNames.map((name) => sandbox.removeFile(name)))
    expect(await sandbox.listFiles(at('odd'))).toEqual([])
  })

  it('5 MB come back as they were written', async () => {
    const sandbox = place.open({ maxOutput: 100 })
    const content = bytesOf(5_000_000)
    await sandbox.writeFile(at('large'), content)
    expect(readFileSync(at('large')).equals(content)).toBe(true)
    expect(content.equals(await sandbox.readFile(at('large')))).toBe(true)
  })

  it('a file of any size around that of a piece is whole', async () => {
    const sandbox = place.open()
    const piece = 2 * 1024 * 1024
    for (const size of byTier({ default: [0, 57, piece + 1], full: [0, 1, 56, 57, 58, piece, piece + 1] })) {
      await sandbox.writeFile(at('sized'), bytesOf(size))
      expect((await sandbox.readFile(at('sized'))).length).toBe(size)
      expect(readFileSync(at('sized')).equals(bytesOf(size))).toBe(true)
    }
  })

  it('the directories that lead to a file are made, and nothing is left beside it', async () => {
    const sandbox = place.open({ cwd: place.directory })
    await sandbox.writeText('made/-a/b c/file', 'deep')
    await sandbox.writeText('made/-a/b c/file', 'deeper')
    expect(await sandbox.listFiles('made/-a/b c')).toEqual([{ name: 'file', isDir: false }])
    expect(readFileSync(at('made/-a/b c/file'), 'utf8')).toBe('deeper')
  })

  it('a file that is replaced keeps its permissions', async () => {
    const sandbox = place.open()
    writeFileSync(at('script'), 'old')
    chmodSync(at('script'), 0o751)
    await sandbox.writeText(at('script'), 'new')
    expect([readFileSync(at('script'), 'utf8'), statSync(at('script')).mode & 0o777]).toEqual(['new', 0o751])
  })

  it('a link is followed: it stays, and what it points to is written and read', async () => {
    const sandbox = place.open()
    mkdirSync(at('elsewhere'))
    writeFileSync(at('elsewhere/target\n'), 'old')
    symlinkSync('elsewhere/target\n', at('link'))
    await sandbox.writeText(at('link'), 'new')
    expect(lstatSync(at('link')).isSymbolicLink()).toBe(true)
    expect(readFileSync(at('elsewhere/target\n'), 'utf8')).toBe('new')
    expect(await sandbox.readText(at('link'))).toBe('new')
    await sandbox.removeFile(at('link'))
    expect([existsSync(at('link')), existsSync(at('elsewhere/target\n'))]).toEqual([false, true])
  })

  it('a listing tells directories from files and links, hidden ones too', async () => {
    const sandbox = place.open()
    mkdirSync(at('list/.git'), { recursive: true })
    mkdirSync(at('list/src\n/'))
    writeFileSync(at('list/file'), '')
    symlinkSync('src\n', at('list/to-dir'))
    symlinkSync('nowhere', at('list/to-nothing'))
    const expected = [
      { name: '.git', isDir: true },
      { name: 'file', isDir: false },
      { name: 'src\n', isDir: true },
      { name: 'to-dir', isDir: false },
      { name: 'to-nothing', isDir: false },
    ]
    expect(await sandbox.listFiles(at('list'))).toEqual(expected)
    expect(await sandbox.listFiles(`${at('list')}/`)).toEqual(expected)
    expect(await sandbox.listFiles(at('list/.git'))).toEqual([])
  })

  it('the names of a listing are those of `ls -1ap`', async () => {
    const sandbox = place.open()
    const listed = await sandbox.listFiles('/etc')
    const names = execFileSync('ls', ['-1ap', '/etc'], { env: { LC_ALL: 'C', PATH: process.env['PATH'] } })
    expect(listed.map(({ name, isDir }) => (isDir === true ? `${name}/` : name))).toEqual(
      names
        .toString()
        .trim()
        .split('\n')
        .filter((name) => name !== './' && name !== '../'),
    )
  })

  it('a missing path is PATH_NOT_FOUND with the path, to every method', async () => {
    const sandbox = place.open()
    symlinkSync('nowhere', at('loose'))
    const paths = [at('missing/deeper'), '-missing', at('missing'), at(': Permission denied')]
    for (const path of byTier({ default: paths.slice(0, 2), full: paths })) {
      const calls = [sandbox.readFile(path), sandbox.removeFile(path), sandbox.listFiles(path)]
      expect(await Promise.all(calls.map(factsOf))).toEqual(calls.map(() => notFound(path)))
    }
    expect(await factsOf(sandbox.readFile(at('loose')))).toEqual(notFound(at('loose')))
  })

  it('a path below a file is PATH_NOT_FOUND, to every method', async () => {
    const sandbox = place.open()
    writeFileSync(at('plain'), 'kept')
    for (const path of [at('plain/x'), at('plain/x/y')]) {
      const calls = [
        sandbox.readFile(path),
        sandbox.removeFile(path),
        sandbox.listFiles(path),
        sandbox.writeFile(path, new Uint8Array(1)),
      ]
      expect(await Promise.all(calls.map(factsOf))).toEqual(calls.map(() => notFound(path)))
    }
    expect(await factsOf(sandbox.listFiles(at('plain')))).toEqual(notFound(at('plain')))
    expect(readFileSync(at('plain'), 'utf8')).toBe('kept')
  })

  it('a directory or a device where a file is needed is IO_ERROR, and stays', async () => {
    const sandbox = place.open()
    mkdirSync(at('dir/inner'), { recursive: true })
    for (const path of [at('dir'), `${at('dir')}/`, '/']) {
      const calls = [
        sandbox.readFile(path),
        sandbox.removeFile(path),
        sandbox.writeFile(path, new Uint8Array(1)),
      ]
      expect(await Promise.all(calls.map(factsOf))).toEqual(calls.map(() => ioError(path)))
    }
    expect(await factsOf(sandbox.readFile('/dev/zero'))).toEqual(ioError('/dev/zero'))
    expect(await factsOf(sandbox.writeFile('/dev/null', new Uint8Array(1)))).toEqual(ioError('/dev/null'))
    expect(await factsOf(sandbox.writeFile(at('new-dir/'), new Uint8Array(1)))).toEqual(
      ioError(at('new-dir/')),
    )
    expect(readdirSync(at('dir'))).toEqual(['inner'])
  })

  it('links that go in a circle are IO_ERROR', async () => {
    const sandbox = place.open()
    symlinkSync('circle', at('circle'))
    expect(await factsOf(sandbox.readFile(at('circle')))).toEqual(ioError(at('circle')))
  })

  it('many writes of one file at once leave one of the contents, whole', async () => {
    const sandbox = place.open()
    const contents = Array.from({ length: 12 }, (_, i) => Buffer.alloc(200_000, 65 + i))
    await Promise.all(contents.map((content) => sandbox.writeFile(at('shared/one'), content)))
    const left = readFileSync(at('shared/one'))
    expect(contents.some((content) => content.equals(left))).toBe(true)
    expect(readdirSync(at('shared'))).toEqual(['one'])
  })

  it('the buffer of a write is the caller’s: what is done to it later does not reach the file', async () => {
    const sandbox = place.open()
    const content = Buffer.alloc(100_000, 1)
    const writing = sandbox.writeFile(at('copied'), content.subarray(1))
    content.fill(2)
    await writing
    expect(readFileSync(at('copied')).equals(Buffer.alloc(99_999, 1))).toBe(true)
  })
}

describePlaces('files', describeFiles, 'one')

describe('arguments of file operations', () => {
  it('a path or content that is none is refused before anything is started', async () => {
    const sandbox = localShell({ shell: '/nowhere/sh' })
    const refused = (field: string) => ({ name: 'SandboxConfigError', code: 'INVALID_CONFIG', field })
    for (const path of ['', 'a\0b', '\ud800']) {
      const calls = [sandbox.readFile(path), sandbox.removeFile(path), sandbox.listFiles(path)]
      expect(await Promise.all(calls.map(factsOf))).toEqual(calls.map(() => refused('path')))
      expect(await factsOf(sandbox.writeFile(path, new Uint8Array()))).toEqual(refused('path'))
    }
    const text: unknown = 'text'
    expect(await factsOf(Reflect.apply(sandbox.writeFile, sandbox, ['/tmp/x', text]))).toEqual(
      refused('content'),
    )
  })
})

describe('permissions', () => {
  // Root may do anything: its tests run as nobody.
  const nobody = 65_534
  const isRoot = process.getuid?.() === 0
  const command = isRoot ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : []
  const place = async () => {
    const directory = await temporaryDirectory()
    if (isRoot) chownSync(directory, nobody, nobody)
    return { directory, sandbox: new CommandSandbox({ command, cwd: directory }) }
  }

  it('what they forbid is PERMISSION_DENIED with the words of the shell, and nothing changes', async () => {
    const { directory, sandbox } = await place()
    await sandbox.execute('mkdir shut; for f in shut/file hidden fixed; do echo x > $f; done')
    await sandbox.execute('chmod 200 hidden; chmod 444 fixed; chmod 500 shut')
    const content = new Uint8Array(1)
    expect(await factsOf(sandbox.readFile('hidden'))).toEqual(denied('hidden'))
    expect(await factsOf(sandbox.writeFile('fixed', content))).toEqual(denied('fixed'))
    expect(await factsOf(sandbox.writeFile('shut/new', content))).toEqual(denied('shut/new'))
    expect(await factsOf(sandbox.writeFile('shut/new/deep', content))).toEqual(denied('shut/new/deep'))
    expect(await factsOf(sandbox.removeFile('shut/file'))).toEqual(denied('shut/file'))
    expect((await failureOf(sandbox.removeFile('shut/file'))).message).toMatch(
      /^Cannot remove "shut\/file": rm: .*denied$/,
    )
    await sandbox.execute('chmod 000 shut')
    expect(await factsOf(sandbox.listFiles('shut'))).toEqual(denied('shut'))
    expect(await factsOf(sandbox.readFile('shut/file'))).toEqual(denied('shut/file'))
    expect(await factsOf(sandbox.removeFile('shut/file'))).toEqual(denied('shut/file'))
    await sandbox.execute('chmod 700 shut')
    expect([readdirSync(directory).sort(), readdirSync(join(directory, 'shut'))]).toEqual([
      ['fixed', 'hidden', 'shut'],
      ['file'],
    ])
  })

  it('a write that fails half-way leaves the old file whole, and nothing beside it', async () => {
    const { directory, sandbox } = await place()
    await sandbox.writeText('file', 'old')
    const limited = new CommandSandbox({
      command: [...command, 'prlimit', '--fsize=3000000'],
      cwd: directory,
    })
    const error = await failureOf(limited.writeFile('file', Buffer.alloc(5_000_000)))
    expect([error.name, error.code]).toEqual(['SandboxIoError', 'IO_ERROR'])
    expect([readdirSync(directory), readFileSync(join(directory, 'file'), 'utf8')]).toEqual([['file'], 'old'])
  })
})
