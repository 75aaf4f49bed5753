import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { HostGoneError } from '../../../worker/host-files/errors.ts'
import { HostTree } from '../../../worker/host-files/tree.ts'
import { entryOf, fileSystems, openDescriptors, Scratch } from './scratch.ts'

const everything = { isExcluded: () => false, maxFileSize: 0 }

const reasons = (tree: HostTree) =>
  Object.fromEntries(tree.scan().skipped.map(({ path, reason }) => [path, reason]))

describe.each(fileSystems)('a host directory on $fs', ({ parent }) => {
  it('is listed with its root, parents before children', () => {
    using scratch = new Scratch(parent)
    scratch.file('b/c/d')
    scratch.file('a')
    scratch.link('b/l', '../a')
    const { entries, skipped } = new HostTree(scratch.bind, everything).scan()
    const paths = [...entries.keys()]
    expect(paths.toSorted()).toEqual(['', 'a', 'b', 'b/c', 'b/c/d', 'b/l'])
    for (const path of paths.filter((rel) => rel !== '')) {
      expect(paths.indexOf(path)).toBeGreaterThan(
        paths.indexOf(path.slice(0, Math.max(0, path.lastIndexOf('/')))),
      )
    }
    expect(skipped).toEqual([])
    expect(entries.get('b/l')).toMatchObject({ kind: 'link', target: '../a', size: 0 })
    expect(entries.get('b/c/d')).toMatchObject({ kind: 'file', size: 5, fresh: true })
  })

  it('reports the same of a path in a scan, a look and a list', () => {
    using scratch = new Scratch(parent)
    scratch.file('d/a')
    scratch.file('d/e/b')
    scratch.link('d/l', 'a')
    const tree = new HostTree(scratch.bind, everything)
    const { entries } = tree.scan()
    for (const [rel, entry] of entries)
      expect({ ...tree.look(rel), fresh: true }).toEqual({ ...entry, fresh: true })
    const listed = tree.list('d')
    if (listed === undefined || 'reason' in listed) throw new Error('expected a listing')
    expect([...listed.entries.keys()].toSorted()).toEqual(['a', 'e', 'l'])
    expect(listed.entries.get('a')).toMatchObject({ inode: entries.get('d/a')?.inode })
    expect([tree.list('d/a'), tree.list('d/l'), tree.list('x')]).toEqual([undefined, undefined, undefined])
  })

  it('skips what cannot be mirrored, with a reason', async () => {
    using scratch = new Scratch(parent)
    scratch.file('large', 'x'.repeat(11))
    scratch.file('fits', 'x'.repeat(10))
    scratch.link('absolute', '/etc/passwd')
    scratch.link('up', '../outside')
    mkdirSync(scratch.at('d'))
    scratch.link('d/through', '../d/../../outside')
    execFileSync('mkfifo', [scratch.at('fifo')])
    writeFileSync(Buffer.concat([Buffer.from(scratch.at('bad-')), Buffer.from([0xff])]), '')
    symlinkSync(Buffer.from([0x61, 0xfe]), scratch.at('bad-target'))
    scratch.file('good-\ufffd')
    const server = createServer().listen(scratch.at('socket'))
    await new Promise((resolve) => server.once('listening', resolve))
    try {
      const tree = new HostTree(scratch.bind, { ...everything, maxFileSize: 10 })
      expect(reasons(tree)).toEqual({
        large: 'too large',
        absolute: 'link that leads out',
        up: 'link that leads out',
        'd/through': 'link that leads out',
        fifo: 'FIFO',
        socket: 'socket',
        'bad-\ufffd': 'name is not UTF-8',
        'bad-target': 'name is not UTF-8',
      })
      expect([...tree.scan().entries.keys()].toSorted()).toEqual(['', 'd', 'fits', 'good-\ufffd'])
      expect(tree.look('fifo')).toEqual({ path: 'fifo', reason: 'FIFO' })
      expect(tree.look('large')).toEqual({ path: 'large', reason: 'too large' })
      expect([tree.read('fifo'), tree.read('socket'), tree.read('large'), tree.read('absolute')]).toEqual(
        Array(4).fill('changed'),
      )
    } finally {
      server.close()
    }
  })

  it.runIf(process.getuid?.() === 0)('skips devices', () => {
    using scratch = new Scratch(parent)
    execFileSync('mknod', [scratch.at('null'), 'c', '1', '3'])
    expect(reasons(new HostTree(scratch.bind, everything))).toEqual({ null: 'device' })
  })

  it('leaves out excluded entries, with everything below them', () => {
    using scratch = new Scratch(parent)
    scratch.file('node_modules/a/b')
    scratch.file('src/node_modules')
    const tree = new HostTree(scratch.bind, {
      maxFileSize: 0,
      isExcluded: (rel, isDirectory) => isDirectory && rel.endsWith('node_modules'),
    })
    expect([...tree.scan().entries.keys()]).toEqual(['', 'src', 'src/node_modules'])
    expect([tree.look('node_modules'), tree.look('node_modules/a/b'), tree.list('node_modules')]).toEqual(
      Array(3).fill(undefined),
    )
  })

  it('includes any name that is text, and 200 levels', () => {
    using scratch = new Scratch(parent)
    const names = [
      'a\nb',
      `it's "quoted"`,
      '-rf',
      ' ',
      '…',
      'x'.repeat(255),
      '*',
      '$(id)',
      'é'.normalize('NFD'),
    ]
    for (const name of names) scratch.file(name)
    const deep = Array.from({ length: 200 }, (_, level) => `d${level}`).join('/')
    scratch.file(`${deep}/f`, 'deep')
    const tree = new HostTree(scratch.bind, everything)
    const { entries, skipped } = tree.scan()
    expect(skipped).toEqual([])
    expect(names.filter((name) => !entries.has(name))).toEqual([])
    expect(entries.size).toBe(1 + names.length + 201)
    expect(tree.read(`${deep}/f`)).toMatchObject({ bytes: Buffer.from('deep') })
    expect(entryOf(tree.look(`${deep}/f`)).inode).toBe(entries.get(`${deep}/f`)?.inode)
  })

  it('skips directories whose path is too long', () => {
    using scratch = new Scratch(parent)
    const descend = 'for (let i = 0; i < 20; i++) { fs.mkdirSync(name); process.chdir(name) }'
    execFileSync(process.execPath, ['-e', `const name = 'x'.repeat(250); ${descend}`], { cwd: scratch.bind })
    const { entries, skipped } = new HostTree(scratch.bind, everything).scan()
    const path = skipped[0]?.path ?? ''
    expect(skipped).toEqual([{ path, reason: 'unreadable' }])
    expect(path.split('/').length).toBe(entries.size)
  })

  it('does not follow links, and rejects invalid paths', () => {
    using scratch = new Scratch(parent)
    scratch.file('real/a')
    scratch.link('link', 'real')
    const tree = new HostTree(scratch.bind, everything)
    expect(tree.look('real/a')).toMatchObject({ kind: 'file' })
    for (const rel of ['link/a', 'real/../real/a', '../bind/real/a', '..', 'real/', 'real/a/b', 'none/a']) {
      expect([rel, tree.look(rel), tree.read(rel)]).toEqual([rel, undefined, 'changed'])
    }
  })

  it('returns bytes with the entry that belongs to them, also when they are newer than the last look', () => {
    using scratch = new Scratch(parent)
    const path = scratch.file('a', 'old')
    const tree = new HostTree(scratch.bind, everything)
    const known = entryOf(tree.look('a'))
    writeFileSync(path, 'newer')
    const read = tree.read('a')
    if (typeof read === 'string') throw new Error(read)
    expect(Buffer.from(read.bytes).toString()).toBe('newer')
    expect(read.entry).toEqual(tree.look('a'))
    expect(read.entry.size).not.toBe(known.size)
    expect(read.bytes.buffer.byteLength).toBe(5)
    expect(tree.read('none')).toBe('changed')
  })

  it('is gone when it is missing, or was replaced by a link or a file', () => {
    using scratch = new Scratch(parent)
    const tree = new HostTree(scratch.bind, everything)
    renameSync(scratch.bind, `${scratch.root}/moved`)
    const check = () => {
      expect(() => tree.scan()).toThrow(HostGoneError)
      expect(() => tree.look('a')).toThrow(HostGoneError)
      expect(() => tree.look('')).toThrow(HostGoneError)
    }
    check()
    symlinkSync(`${scratch.root}/moved`, scratch.bind)
    check()
    rmSync(scratch.bind)
    writeFileSync(scratch.bind, '')
    check()
    expect(() => new HostTree(`${scratch.root}/none`, everything)).toThrow(HostGoneError)
  })

  it('may be a single file', () => {
    using scratch = new Scratch(parent)
    const path = scratch.file('a', 'text')
    const tree = new HostTree(path, everything)
    expect(tree.kind).toBe('file')
    expect([...tree.scan().entries]).toMatchObject([['', { kind: 'file', size: 4 }]])
    expect(tree.read('')).toMatchObject({ bytes: Buffer.from('text') })
    expect(tree.look('a')).toBeUndefined()
    expect(new HostTree(path, { ...everything, maxFileSize: 3 }).scan().skipped).toEqual([
      { path: '', reason: 'too large' },
    ])
  })

  it('leaves out temporary files, and removes those that are an hour old', () => {
    using scratch = new Scratch(parent)
    const old = '.strands-shell-0123456789abcdef.tmp'
    const young = '.strands-shell-fedcba9876543210.tmp'
    utimesSync(scratch.file(`d/${old}`), 1, Date.now() / 1000 - 3700)
    utimesSync(scratch.file(`d/${young}`), 1, Date.now() / 1000 - 3500)
    const tree = new HostTree(scratch.bind, everything)
    expect([...tree.scan().entries.keys()]).toEqual(['', 'd'])
    expect(tree.look(`d/${young}`)).toBeUndefined()
    expect(Object.keys(scratch.contents())).toEqual(['d', `d/${young}`])
  })

  it('leaves no descriptor open', () => {
    using scratch = new Scratch(parent)
    scratch.file('d/a')
    scratch.link('l', 'd')
    const tree = new HostTree(scratch.bind, everything)
    const before = openDescriptors()
    for (const rel of ['', 'd', 'd/a', 'l', 'l/a', 'none/a', 'd/a/b']) {
      tree.look(rel)
      tree.list(rel)
      tree.read(rel)
    }
    tree.scan()
    expect(openDescriptors()).toBe(before)
  })
})
