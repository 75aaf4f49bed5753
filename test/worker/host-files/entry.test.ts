import { lstatSync, utimesSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  hostEntry,
  isSafeLink,
  isUnchanged,
  sameContentEntry,
  sameEntry,
} from '../../../worker/host-files/entry.ts'
import type { HostEntry } from '../../../worker/host-files/types.ts'
import { fileSystems, Scratch } from './scratch.ts'

const MS = 1_000_000n
const file: HostEntry = {
  kind: 'file',
  mode: 0o644,
  size: 3,
  inode: 7n,
  modified: 1000n,
  changed: 2000n,
  fresh: false,
}
const directory: HostEntry = { ...file, kind: 'directory', size: 0 }
const link: HostEntry = { ...file, kind: 'link', size: 0, target: 'a' }

describe.each(fileSystems)('a host entry on $fs', ({ parent }) => {
  it('is fresh when it changed up to 50 ms before the look, or later', () => {
    using scratch = new Scratch(parent)
    const stats = lstatSync(scratch.file('a'), { bigint: true })
    const fresh = (now: bigint) => hostEntry(stats, now).fresh
    expect(fresh(stats.ctimeNs + 49n * MS)).toBe(true)
    expect(fresh(stats.ctimeNs - 10_000n * MS)).toBe(true)
    expect(fresh(stats.ctimeNs + 3000n * MS)).toBe(false)
  })

  it('has the kind, permission bits, size and times of what is there', () => {
    using scratch = new Scratch(parent)
    const path = scratch.file('a', 'four')
    utimesSync(path, 4_000_000_000, 4_000_000_000)
    const stats = lstatSync(path, { bigint: true })
    expect(hostEntry(stats, 0n)).toEqual({
      kind: 'file',
      mode: Number(stats.mode) & 0o777,
      size: 4,
      inode: stats.ino,
      modified: 4_000_000_000n * 1000n * MS,
      changed: stats.ctimeNs,
      fresh: true,
    })
    expect(hostEntry(lstatSync(scratch.bind, { bigint: true }), 0n)).toMatchObject({
      kind: 'directory',
      size: 0,
    })
  })

  it('differs after a write of the same number of bytes', () => {
    using scratch = new Scratch(parent)
    const path = scratch.file('a', 'one')
    utimesSync(path, 1, 1)
    const before = hostEntry(lstatSync(path, { bigint: true }), 0n)
    writeFileSync(path, 'two')
    const after = hostEntry(lstatSync(path, { bigint: true }), 0n)
    expect([sameEntry(before, before), sameEntry(before, after)]).toEqual([true, false])
  })
})

describe('freshness', () => {
  it('lasts two seconds where time is counted in seconds', () => {
    using scratch = new Scratch(fileSystems[0]?.parent ?? '/tmp')
    const stats = lstatSync(scratch.file('a'), { bigint: true })
    const fresh = (ctimeNs: bigint, now: bigint) =>
      hostEntry(Object.assign(Object.create(stats), { ctimeNs }), now).fresh
    expect(fresh(5000n * MS, 6900n * MS)).toBe(true)
    expect(fresh(5001n * MS, 6900n * MS)).toBe(false)
    expect(fresh(5000n * MS, 7200n * MS)).toBe(false)
  })
})

describe('two looks at a path', () => {
  it.each([
    ['inode', { inode: 8n }, false],
    ['size', { size: 4 }, false],
    ['time of modification', { modified: 1001n }, false],
    ['kind', { kind: 'link', target: 'a' }, false],
    ['time of change alone', { changed: 2001n }, true],
    ['mode alone', { mode: 0o600, changed: 2001n }, true],
  ] as const)('differ by %s', (_, change, isSameContent) => {
    const changed = { ...file, ...change }
    expect([sameEntry(file, changed), sameContentEntry(file, changed)]).toEqual([false, isSameContent])
  })

  it('compare only the mode of a directory, and only the text of a link', () => {
    const moved = { inode: 9n, modified: 5n, changed: 6n }
    expect(sameEntry(directory, { ...directory, ...moved })).toBe(true)
    expect(sameEntry(directory, { ...directory, mode: 0o700 })).toBe(false)
    expect(sameEntry(link, { ...link, ...moved })).toBe(true)
    expect(sameEntry(link, { ...link, target: 'b' })).toBe(false)
  })

  it('never report a file as unchanged that was fresh at the first look', () => {
    expect(isUnchanged(file, { ...file, fresh: true })).toBe(true)
    expect(isUnchanged({ ...file, fresh: true }, file)).toBe(false)
    expect(isUnchanged({ ...link, fresh: true }, link)).toBe(true)
    expect(isUnchanged({ ...directory, fresh: true }, directory)).toBe(true)
  })
})

describe('a link', () => {
  it.each([
    ['l', 'a'],
    ['l', 'a/b/...'],
    ['d/l', '../a'],
    ['d/l', '..'],
    ['d/e/l', '../../a/b'],
    ['l', '.'],
    ['l', './a'],
    ['l', 'a/'],
    ['l', 'a//b'],
    ['d/l', '../'],
    ['d/l', './../a'],
  ])('at %s to %s stays inside', (rel, target) => {
    expect(isSafeLink(rel, target)).toBe(true)
  })

  it.each([
    ['l', ''],
    ['l', '/etc/passwd'],
    ['l', '..'],
    ['l', '../a'],
    ['l', '//etc'],
    ['l', './../a'],
    ['l', 'a/../b'],
    ['l', 'a/../../b'],
    ['d/l', '../../a'],
    ['d/l', '../../'],
    ['d/l', '../a/..'],
    ['d/e/l', '../../../a'],
    ['l', 'a\0b'],
  ])('at %s to %j may lead out', (rel, target) => {
    expect(isSafeLink(rel, target)).toBe(false)
  })
})
