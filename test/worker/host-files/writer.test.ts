import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { describe, expect, it } from 'vitest'
import { HostGoneError, HostRefusedError, HostWriteError } from '../../../worker/host-files/errors.ts'
import { HostTree } from '../../../worker/host-files/tree.ts'
import type { HostEntry } from '../../../worker/host-files/types.ts'
import { HostWriter } from '../../../worker/host-files/writer.ts'
import { entryOf, fileSystems, modeOf, openDescriptors, Scratch } from './scratch.ts'

const everything = { isExcluded: () => false, maxFileSize: 0 }
const text = (content: string) => Buffer.from(content)
const nothing = { expected: undefined }

/** A bind with its tree and a writer. */
class Bound extends Scratch {
  readonly tree = new HostTree(this.bind, everything)
  readonly writer = new HostWriter(this.tree)

  /** What the host has at a path, as the mirror would know it. */
  known(rel: string): { expected: HostEntry } {
    return { expected: entryOf(this.tree.look(rel)) }
  }

  override [Symbol.dispose](): void {
    this.writer.close()
    super[Symbol.dispose]()
  }
}

describe.each(fileSystems)('writing to the host on $fs', ({ parent }) => {
  it('makes a new file, with mode 644 by default, and missing directories', () => {
    using host = new Bound(parent)
    const written = host.writer.writeFile('a/b/c', text('new'), nothing)
    expect(written).toEqual({ entry: host.tree.look('a/b/c') })
    host.writer.writeFile('x', text(''), { mode: 0o751, expected: undefined })
    expect(host.contents()).toEqual({ a: '/', 'a/b': '/', 'a/b/c': 'new', x: '' })
    expect(['a', 'a/b/c', 'x'].map((rel) => modeOf(host.at(rel)))).toEqual(['755', '644', '751'])
  })

  it('replaces a file in one step and keeps its mode, or sets the one given', () => {
    using host = new Bound(parent)
    chmodSync(host.file('a', 'old'), 0o4640)
    const before = host.known('a')
    const written = host.writer.writeFile('a', text('new'), before)
    expect(written).toEqual({ entry: host.tree.look('a') })
    expect(written.entry?.inode).not.toBe(before.expected.inode)
    expect([host.read('a'), modeOf(host.at('a'))]).toEqual(['new', '640'])
    host.writer.writeFile('a', text('3'), { ...host.known('a'), mode: 0o600 })
    expect([host.contents(), modeOf(host.at('a'))]).toEqual([{ a: '3' }, '600'])
  })

  it.runIf(process.getuid?.() === 0)('keeps the owner of a file', () => {
    using host = new Bound(parent)
    chownSync(host.file('a'), 1234, 5678)
    host.writer.writeFile('a', text('new'), host.known('a'))
    expect(lstatSync(host.at('a'))).toMatchObject({ uid: 1234, gid: 5678, size: 3 })
  })

  it('keeps both versions when the host wrote meanwhile, each under the next free name', () => {
    using host = new Bound(parent)
    const first = { expected: host.known('').expected }
    host.file('d/a', 'one')
    const known = host.known('d/a')
    for (const content of ['host 1', 'host 2', 'host 3']) {
      writeFileSync(host.at('d/a'), content)
      const number = Number(content.slice(-1))
      const kept = number === 1 ? 'd/a.host-conflict' : `d/a.host-conflict-${number}`
      const written = host.writer.writeFile('d/a', text(`ours ${number}`), known)
      expect(written).toEqual({ entry: host.tree.look('d/a'), conflict: { path: 'd/a', kept } })
    }
    expect(first).toBeDefined()
    expect(host.contents()).toEqual({
      d: '/',
      'd/a': 'ours 3',
      'd/a.host-conflict': 'host 1',
      'd/a.host-conflict-2': 'host 2',
      'd/a.host-conflict-3': 'host 3',
    })
  })

  it('keeps a new file of the host, with its mode', () => {
    using host = new Bound(parent)
    chmodSync(host.file('a', 'host'), 0o600)
    const { conflict } = host.writer.writeFile('a', text('ours'), nothing)
    expect(conflict).toEqual({ path: 'a', kept: 'a.host-conflict' })
    expect(host.contents()).toEqual({ a: 'ours', 'a.host-conflict': 'host' })
    expect([modeOf(host.at('a')), modeOf(host.at('a.host-conflict'))]).toEqual(['600', '600'])
  })

  it('reports no conflict when the host wrote the same bytes', () => {
    using host = new Bound(parent)
    const path = host.file('a', 'same')
    chmodSync(path, 0o640)
    const { ino } = lstatSync(path)
    expect(host.writer.writeFile('a', text('same'), nothing)).toEqual({ entry: host.tree.look('a') })
    expect(host.writer.writeFile('a', text('same'), { mode: 0o600, expected: undefined })).toEqual({
      entry: host.tree.look('a'),
    })
    expect([lstatSync(path).ino, modeOf(path), host.contents()]).toEqual([ino, '600', { a: 'same' }])
  })

  it('does not treat a change of owner, mode or hard links as a change of content', () => {
    using host = new Bound(parent)
    const path = host.file('a', 'old')
    const known = host.known('a')
    chmodSync(path, 0o600)
    expect(host.writer.writeFile('a', text('new'), known)).toEqual({ entry: host.tree.look('a') })
    expect([modeOf(path), host.contents()]).toEqual(['600', { a: 'new' }])
  })

  it('writes a file that the host removed, and reports a conflict', () => {
    using host = new Bound(parent)
    chmodSync(host.file('d/a'), 0o600)
    const known = host.known('d/a')
    rmSync(host.at('d'), { recursive: true })
    const written = host.writer.writeFile('d/a', text('ours'), known)
    expect(written).toEqual({ entry: host.tree.look('d/a'), conflict: { path: 'd/a' } })
    expect([host.contents(), modeOf(host.at('d/a'))]).toEqual([{ d: '/', 'd/a': 'ours' }, '600'])
  })

  it('keeps a file that the host put in the place of a directory, and a directory in the place of a file', () => {
    using host = new Bound(parent)
    host.file('d', 'host file')
    expect(host.writer.writeFile('d/a', text('ours'), nothing)).toEqual({
      entry: host.tree.look('d/a'),
      conflict: { path: 'd', kept: 'd.host-conflict' },
    })
    host.file('f/b', 'host')
    expect(host.writer.writeFile('f', text('ours'), nothing).conflict).toEqual({
      path: 'f',
      kept: 'f.host-conflict',
    })
    expect(host.contents()).toEqual({
      d: '/',
      'd/a': 'ours',
      'd.host-conflict': 'host file',
      f: 'ours',
      'f.host-conflict': '/',
      'f.host-conflict/b': 'host',
    })
  })

  it('replaces an entry by one of another kind without a conflict where the host has what was expected', () => {
    using host = new Bound(parent)
    host.file('f')
    mkdirSync(host.at('d'))
    host.link('l', 'f')
    expect(host.writer.writeFile('l', text('was a link'), host.known('l'))).toEqual({
      entry: host.tree.look('l'),
    })
    expect(host.writer.writeFile('d', text('was a directory'), host.known('d'))).toEqual({
      entry: host.tree.look('d'),
    })
    expect(host.writer.makeDirectory('f', host.known('f'))).toEqual({ entry: host.tree.look('f') })
    expect(host.writer.makeLink('l', 'd', host.known('l'))).toEqual({ entry: host.tree.look('l') })
    expect(host.contents()).toEqual({ d: 'was a directory', f: '/', l: '-> d' })
  })

  it('keeps a directory that is not empty under a conflict name', () => {
    using host = new Bound(parent)
    mkdirSync(host.at('d'))
    const known = host.known('d')
    host.file('d/new', 'host')
    expect(host.writer.makeLink('d', 'x', known).conflict).toEqual({ path: 'd', kept: 'd.host-conflict' })
    expect(host.contents()).toEqual({ d: '-> x', 'd.host-conflict': '/', 'd.host-conflict/new': 'host' })
  })

  it('makes directories, and accepts those that exist', () => {
    using host = new Bound(parent)
    expect(host.writer.makeDirectory('a/b', { mode: 0o700, expected: undefined })).toEqual({
      entry: host.tree.look('a/b'),
    })
    chmodSync(host.at('a'), 0o2755)
    host.writer.makeDirectory('a', { ...nothing, mode: 0o750 })
    host.writer.makeDirectory('a/b', nothing)
    expect(['a', 'a/b'].map((rel) => modeOf(host.at(rel)))).toEqual(['2750', '700'])
    expect(host.writer.makeDirectory('', nothing)).toEqual({ entry: host.tree.look('') })
    const known = host.known('a/b')
    rmSync(host.at('a'), { recursive: true })
    expect(host.writer.makeDirectory('a/b', known)).toEqual({ entry: host.tree.look('a/b') })
    expect(modeOf(host.at('a/b'))).toBe('700')
  })

  it('makes only links that stay inside the bind', () => {
    using host = new Bound(parent)
    expect(host.writer.makeLink('d/l', '../a', nothing)).toEqual({ entry: host.tree.look('d/l') })
    expect(host.writer.makeLink('d/l', '../a', nothing)).toEqual({ entry: host.tree.look('d/l') })
    const known = host.known('d/l')
    expect(host.writer.makeLink('d/l', 'b', known)).toEqual({ entry: host.tree.look('d/l') })
    expect(() => host.writer.makeLink('d/out', '../../a', nothing)).toThrow(HostRefusedError)
    host.file('f', 'host')
    expect(host.writer.makeLink('f', 'g', nothing).conflict).toEqual({ path: 'f', kept: 'f.host-conflict' })
    rmSync(host.at('d/l'))
    expect(host.writer.makeLink('d/l', 'c', known).conflict).toEqual({ path: 'd/l' })
    expect(host.contents()).toEqual({
      d: '/',
      'd/l': '-> c',
      f: '-> g',
      'f.host-conflict': 'host',
    })
  })

  it('removes what was expected, and accepts that it is gone', () => {
    using host = new Bound(parent)
    host.file('d/f')
    host.link('d/l', 'f')
    const gone = { entry: undefined }
    const [file, link, directory] = [host.known('d/f'), host.known('d/l'), host.known('d')]
    const stays = host.writer.remove('d', directory)
    expect(stays).toEqual({ entry: { ...host.tree.look('d'), fresh: expect.any(Boolean) } })
    expect([host.writer.remove('d/l', link), host.writer.remove('d/f', file)]).toEqual([gone, gone])
    expect([host.writer.remove('d', directory), host.writer.remove('d', directory)]).toEqual([gone, gone])
    expect(host.writer.remove('d/f', file)).toEqual(gone)
    expect(host.contents()).toEqual({})
  })

  it('keeps the host’s version of a path that is removed', () => {
    using host = new Bound(parent)
    const known = [host.file('a'), host.file('b')].map((_, index) => host.known(index === 0 ? 'a' : 'b'))
    host.file('a', 'host')
    rmSync(host.at('b'))
    host.file('b/c', 'host')
    const [a, b] = known
    if (a === undefined || b === undefined) throw new Error('unreachable')
    expect(host.writer.remove('a', a)).toEqual({
      entry: undefined,
      conflict: { path: 'a', kept: 'a.host-conflict' },
    })
    expect(host.writer.remove('b', b).conflict).toEqual({ path: 'b', kept: 'b.host-conflict' })
    host.file('c', 'host')
    expect(host.writer.remove('c', nothing)).toEqual({ entry: host.tree.look('c') })
    expect(host.contents()).toEqual({
      'a.host-conflict': 'host',
      'b.host-conflict': '/',
      'b.host-conflict/c': 'host',
      c: 'host',
    })
  })

  it('sets the mode of files and directories, never through a link', () => {
    using host = new Bound(parent)
    const outside = `${host.outside}/f`
    writeFileSync(outside, '')
    chmodSync(outside, 0o644)
    host.file('f')
    chmodSync(host.file('d/g'), 0o644)
    host.link('l', 'd/g')
    expect(host.writer.chmod('f', 0o400, host.known('f'))).toEqual({ entry: sooner(host.tree.look('f')) })
    expect(host.writer.chmod('d', 0o700, host.known('d'))).toEqual({ entry: sooner(host.tree.look('d')) })
    expect(host.writer.chmod('l', 0o700, host.known('l'))).toEqual({ entry: sooner(host.tree.look('l')) })
    expect(host.writer.chmod('', 0o711, host.known(''))).toEqual({ entry: sooner(host.tree.look('')) })
    expect(['f', 'd', 'd/g', ''].map((rel) => modeOf(host.at(rel)))).toEqual(['400', '700', '644', '711'])
    const known = host.known('f')
    rmSync(host.at('f'))
    expect(host.writer.chmod('f', 0o777, known)).toEqual({ entry: undefined })
    symlinkSync(outside, host.at('f'))
    expect(() => host.writer.chmod('f', 0o777, known)).toThrow(HostRefusedError)
    expect(modeOf(outside)).toBe('644')
  })

  it('does not treat the content as known when it sets the mode of a file that the host changed', () => {
    using host = new Bound(parent)
    const path = host.file('f', 'old')
    const { expected } = host.known('f')
    writeFileSync(path, 'host')
    expect(host.writer.chmod('f', 0o600, { expected })).toEqual({ entry: { ...expected, mode: 0o600 } })
    expect([host.read('f'), modeOf(path)]).toEqual(['host', '600'])
  })

  it('rejects the replacement of FIFOs, sockets, devices and unknown links', () => {
    using host = new Bound(parent)
    const known = { expected: { ...host.known('').expected, kind: 'file' } } as const
    execFileSync('mkfifo', [host.at('fifo')])
    host.link('out', host.outside)
    host.link('in', 'x')
    host.link('up', '..')
    const before = host.contents()
    for (const [rel, reason] of [
      ['fifo', 'the host has a FIFO there'],
      ['out', 'the host has an unknown link there'],
      ['in', 'the host has an unknown link there'],
    ] as const) {
      const refused = expect.objectContaining({ path: rel, reason })
      expect(() => host.writer.writeFile(rel, text('x'), nothing)).toThrow(refused)
      expect(() => host.writer.writeFile(rel, text('x'), known)).toThrow(refused)
      expect(() => host.writer.makeDirectory(rel, nothing)).toThrow(refused)
      expect(() => host.writer.makeLink(rel, 'y', nothing)).toThrow(refused)
      expect(() => host.writer.remove(rel, known)).toThrow(refused)
      expect(() => host.writer.chmod(rel, 0o777, known)).toThrow(refused)
    }
    expect(() => host.writer.writeFile('out/f', text('x'), nothing)).toThrow(HostRefusedError)
    expect(() => host.writer.writeFile('up/bind/f', text('x'), nothing)).toThrow(HostRefusedError)
    expect(host.writer.remove('out/f', known)).toEqual({ entry: undefined })
    expect(host.contents()).toEqual(before)
  })

  it.each([
    ['..', 'it is no path inside the bind'],
    ['../outside/f', 'it is no path inside the bind'],
    ['a//b', 'it is no path inside the bind'],
    ['', 'it is the root of the bind'],
    ['.strands-shell-0123456789abcdef.tmp', 'names like it are kept for temporary files'],
  ])('rejects the path %j', (rel, reason) => {
    using host = new Bound(parent)
    expect(() => host.writer.writeFile(rel, text('x'), nothing)).toThrow(expect.objectContaining({ reason }))
    expect(() => host.writer.remove(rel, host.known(''))).toThrow(expect.objectContaining({ reason }))
  })

  it('writes names of any text up to the longest, and cuts their conflict names to fit', () => {
    using host = new Bound(parent)
    const names = ['a\nb', `it's "quoted"`, '-rf', ' ', '*', '😀'.repeat(63), 'x'.repeat(255)]
    for (const name of names) {
      host.file(name, 'host')
      const { conflict } = host.writer.writeFile(name, text('ours'), nothing)
      expect(Buffer.byteLength(conflict?.kept ?? '')).toBeLessThanOrEqual(255)
      expect([host.read(name), host.read(conflict?.kept ?? '')]).toEqual(['ours', 'host'])
    }
    expect(() => host.writer.writeFile('x'.repeat(256), text(''), nothing)).toThrow(
      expect.objectContaining({ name: 'HostWriteError', code: 'ENAMETOOLONG', path: 'x'.repeat(256) }),
    )
  })

  it('writes 200 levels deep, and closes every descriptor', () => {
    using host = new Bound(parent)
    const deep = Array.from({ length: 200 }, (_, level) => `d${level}`).join('/')
    const before = openDescriptors()
    host.writer.writeFile(`${deep}/f`, text('deep'), nothing)
    expect(openDescriptors()).toBeLessThan(before + 40)
    for (let n = 0; n < 100; n++) host.writer.writeFile(`d0/e${n}/f`, text('x'), nothing)
    expect(() => host.writer.makeLink('l', '/', nothing)).toThrow(HostRefusedError)
    expect(openDescriptors()).toBeLessThan(before + 40)
    host.writer.close()
    expect(openDescriptors()).toBe(before)
    expect(host.read(`${deep}/f`)).toBe('deep')
  })

  it('reports the times of the host, also future ones', () => {
    using host = new Bound(parent)
    const path = host.file('a', 'one')
    utimesSync(path, 9_000_000_000, 9_000_000_000)
    const known = host.known('a')
    expect(host.writer.writeFile('a', text('two'), known).conflict).toBeUndefined()
    const again = host.known('a')
    utimesSync(path, 9_000_000_000, 9_000_000_000)
    expect(host.writer.writeFile('a', text('3'), again).conflict).toEqual({
      path: 'a',
      kept: 'a.host-conflict',
    })
  })

  it('rejects writes when the source is gone, and does not follow a moved directory', () => {
    using host = new Bound(parent)
    mkdirSync(host.at('d'))
    host.writer.writeFile('d/a', text('1'), nothing)
    renameSync(host.at('d'), `${host.outside}/d`)
    host.writer.writeFile('d/b', text('2'), nothing)
    expect(host.contents()).toEqual({ d: '/', 'd/b': '2' })
    renameSync(host.bind, `${host.root}/moved`)
    expect(() => host.writer.writeFile('c', text(''), nothing)).toThrow(HostGoneError)
    symlinkSync(host.outside, host.bind)
    expect(() => host.writer.writeFile('d/a', text(''), nothing)).toThrow(HostGoneError)
  })

  it('replaces a source that is a file, and nothing else', () => {
    using scratch = new Scratch(parent)
    const tree = new HostTree(scratch.file('f', 'old'), everything)
    using writer = new HostWriter(tree)
    const expected = entryOf(tree.look(''))
    expect(writer.writeFile('', text('new'), { expected })).toEqual({ entry: tree.look('') })
    scratch.file('f', 'host')
    expect(writer.writeFile('', text('ours'), { expected }).conflict).toEqual({
      path: '',
      kept: 'f.host-conflict',
    })
    expect(scratch.contents()).toEqual({ f: 'ours', 'f.host-conflict': 'host' })
    writer.chmod('', 0o600, { expected: entryOf(tree.look('')) })
    expect(modeOf(scratch.at('f'))).toBe('600')
    for (const act of [
      () => writer.makeDirectory('', { expected: entryOf(tree.look('')) }),
      () => writer.makeLink('', 'x', { expected: entryOf(tree.look('')) }),
      () => writer.writeFile('a', text(''), nothing),
    ]) {
      expect(act).toThrow(HostRefusedError)
    }
    expect(writer.remove('', { expected: entryOf(tree.look('')) })).toEqual({ entry: undefined })
    expect([tree.look(''), tree.scan().entries.size]).toEqual([undefined, 0])
  })

  it('rejects with the path and the code of the system’s error', () => {
    using host = new Bound(parent)
    const error = new HostWriteError('a', 'ENOSPC', { cause: new Error('full') })
    expect(error).toMatchObject({ path: 'a', code: 'ENOSPC', message: expect.stringContaining('ENOSPC') })
    expect(host.contents()).toEqual({})
  })
})

/** The same look at another moment: only whether it is fresh may differ. */
function sooner(entry: object | undefined): object {
  return { ...entry, fresh: expect.any(Boolean) }
}
