import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { HostTree } from '../../../worker/host-files/tree.ts'
import { HostWriter } from '../../../worker/host-files/writer.ts'
import { entryOf, fileSystems, modeOf, openDescriptors, Scratch } from './scratch.ts'

const everything = { isExcluded: () => false, maxFileSize: 0 }
const isRoot = process.getuid?.() === 0
const parent = fileSystems[0]?.parent ?? '/tmp'
const canMount = isRoot && mounts()

function mounts(): boolean {
  using scratch = new Scratch(parent)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', scratch.bind]).status === 0
  if (mounted) execFileSync('umount', [scratch.bind])
  return mounted
}

describe.runIf(canMount)('a disk of 64 KiB', () => {
  it('rejects a write with ENOSPC, and every file is whole, old or new', () => {
    using scratch = new Scratch(parent)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', scratch.bind])
    try {
      const tree = new HostTree(scratch.bind, everything)
      using writer = new HostWriter(tree)
      scratch.file('a', 'old')
      scratch.file('b', 'host')
      const expected = entryOf(tree.look('a'))
      const large = Buffer.alloc(100_000, 'x')
      const full = expect.objectContaining({ name: 'HostWriteError', code: 'ENOSPC' })
      const before = openDescriptors()
      expect(() => writer.writeFile('a', large, { expected })).toThrow(full)
      expect(() => writer.writeFile('b', large, { expected: undefined })).toThrow(full)
      expect(() => writer.writeFile('new', large, { expected: undefined })).toThrow(full)
      expect(openDescriptors()).toBe(before + 1)
      expect(scratch.contents()).toEqual({ a: 'old', b: 'host' })
      expect(writer.writeFile('a', Buffer.from('new'), { expected })).toEqual({ entry: tree.look('a') })
      expect(scratch.contents()).toEqual({ a: 'new', b: 'host' })
    } finally {
      execFileSync('umount', ['-l', scratch.bind])
    }
  })

  it('is mirrored with a file system that is mounted on a directory of the bind', () => {
    using scratch = new Scratch(parent)
    mkdirSync(scratch.at('d'))
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', scratch.at('d')])
    try {
      const tree = new HostTree(scratch.bind, everything)
      using writer = new HostWriter(tree)
      writer.writeFile('d/f', Buffer.from('x'), { expected: undefined })
      expect([...tree.scan().entries.keys()]).toEqual(['', 'd', 'd/f'])
    } finally {
      execFileSync('umount', ['-l', scratch.at('d')])
    }
  })
})

/** Runs a module that gets `HostTree` and `HostWriter`, as a user without rights where this one has them. */
function asNobody(scratch: Scratch, code: string): unknown {
  const worker = fileURLToPath(new URL('../../../worker/host-files/', import.meta.url))
  const script = `${scratch.root}/script.cjs`
  buildSync({
    stdin: {
      contents: `import { HostTree } from './tree.ts'
        import { HostWriter } from './writer.ts'
        const tree = new HostTree(${JSON.stringify(scratch.bind)}, { isExcluded: () => false, maxFileSize: 0 })
        const writer = new HostWriter(tree)
        const attempt = (act) => { try { return act() } catch ({ name, code, path }) { return { name, code, path } } }
        const result = (() => { ${code} })()
        console.log(JSON.stringify(result, (_, value) => typeof value === 'bigint' ? String(value) : value))`,
      resolveDir: worker,
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    target: 'node20.18',
    outfile: script,
  })
  chmodSync(scratch.root, 0o755)
  const identity = isRoot ? { uid: 65_534, gid: 65_534 } : {}
  const stdout = execFileSync(process.execPath, [script], { encoding: 'utf8', cwd: '/', ...identity })
  return JSON.parse(stdout)
}

describe.each(fileSystems)('a user without rights on $fs', ({ parent }) => {
  it('gets EACCES where a directory is not writable, and nothing changes', () => {
    using scratch = new Scratch(parent)
    scratch.file('d/f', 'old')
    chmodSync(scratch.at('d'), 0o555)
    const result = asNobody(
      scratch,
      `const expected = tree.look('d/f')
      return [
        attempt(() => writer.writeFile('d/f', Buffer.from('new'), { expected })),
        attempt(() => writer.writeFile('d/new', Buffer.from('new'), { expected: undefined })),
        attempt(() => writer.makeDirectory('d/new', { expected: undefined })),
        attempt(() => writer.makeLink('d/new', 'f', { expected: undefined })),
        attempt(() => writer.remove('d/f', { expected })),
        attempt(() => writer.writeFile('d/f', Buffer.from('new'), { expected: undefined })),
      ]`,
    )
    const refused = (path: string) => ({ name: 'HostWriteError', code: 'EACCES', path })
    expect(result).toEqual(['d/f', 'd/new', 'd/new', 'd/new', 'd/f', 'd/f'].map(refused))
    expect(scratch.contents()).toEqual({ d: '/', 'd/f': 'old' })
    chmodSync(scratch.at('d'), 0o755)
  })

  it('gets files without read permission as unreadable', () => {
    using scratch = new Scratch(parent)
    chmodSync(scratch.file('f'), 0)
    scratch.file('closed/a')
    chmodSync(scratch.at('closed'), 0)
    scratch.file('names/a')
    chmodSync(scratch.at('names'), 0o444)
    const result = asNobody(
      scratch,
      `const { entries, skipped } = tree.scan()
      return [[...entries.keys()].sort(), skipped, tree.read('f'), tree.read('closed/a'), tree.look('closed'),
        tree.look('closed/a'), tree.list('names')]`,
    )
    const unreadable = (path: string) => ({ path, reason: 'unreadable' })
    expect(result).toEqual([
      ['', 'f', 'names'],
      expect.arrayContaining([unreadable('closed'), unreadable('names/a')]),
      'unreadable',
      'unreadable',
      unreadable('closed'),
      unreadable('closed/a'),
      { entries: {}, skipped: [unreadable('names/a')] },
    ])
    for (const rel of ['closed', 'names']) chmodSync(scratch.at(rel), 0o755)
  })

  it.runIf(isRoot)('replaces the file of another in its own directory, which is then its own', () => {
    using scratch = new Scratch(parent)
    chmodSync(scratch.file('f', 'old'), 0o640)
    chmodSync(scratch.bind, 0o777)
    const result = asNobody(
      scratch,
      `return attempt(() => writer.writeFile('f', Buffer.from('new'), { expected: tree.look('f') })).conflict ?? null`,
    )
    expect([result, scratch.contents(), modeOf(scratch.at('f'))]).toEqual([null, { f: 'new' }, '640'])
  })

  it.runIf(isRoot)(
    'keeps the file of another by moving or copying it, where links of it are forbidden',
    () => {
      using scratch = new Scratch(parent)
      chmodSync(scratch.file('f', 'host'), 0o644)
      chmodSync(scratch.bind, 0o777)
      const result = asNobody(
        scratch,
        `return writer.writeFile('f', Buffer.from('new'), { expected: undefined }).conflict`,
      )
      expect(result).toEqual({ path: 'f', kept: 'f.host-conflict' })
      expect(scratch.contents()).toEqual({ f: 'new', 'f.host-conflict': 'host' })
      expect(readdirSync(scratch.bind).length).toBe(2)
      writeFileSync(scratch.at('f'), '')
    },
  )
})
