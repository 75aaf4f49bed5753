import { beforeEach, describe, expect, it } from 'vitest'
import { hostSide, Ledger } from '../../../worker/host-files/ledger.ts'
import type { HostEntry, SandboxEntry } from '../../../worker/host-files/types.ts'

const file: SandboxEntry = { kind: 'file', mode: 0o644, size: 3, shown: 'Nov 22 03:19' }
const directory: SandboxEntry = { ...file, kind: 'directory', size: 0 }
const hostFile: HostEntry = {
  kind: 'file',
  mode: 0o644,
  size: 3,
  inode: 7n,
  modified: 1n,
  changed: 2n,
  fresh: false,
}
const bytes = new Uint8Array([1, 2, 3])
const host = hostSide(hostFile, bytes)

/** All that the ledger says of a path. */
function stateOf(ledger: Ledger, rel: string): unknown {
  return {
    known: ledger.at(rel),
    pending: ledger.pendingAt(rel),
    withheld: ledger.withheld.get(rel),
  }
}

const nothing = { known: undefined, pending: undefined, withheld: undefined }

let ledger: Ledger
beforeEach(() => {
  ledger = new Ledger()
})

describe('the ledger of a file that both sides have', () => {
  beforeEach(() => ledger.recordBroughtIn('a', file, host))

  it('has both entries and the digest of the content, and nothing is pending', () => {
    const { digest, content } = host
    expect(digest).toBe(content)
    expect(stateOf(ledger, 'a')).toEqual({
      ...nothing,
      known: { sandbox: file, host: hostFile, digest, content },
    })
    expect(ledger.changesSince(0)).toEqual([])
  })

  it('makes a removal pending until the host has removed the file', () => {
    ledger.recordRemoved('a')
    expect(stateOf(ledger, 'a')).toEqual({
      ...nothing,
      known: { ...host, sandbox: undefined },
      pending: 'all',
    })
    ledger.recordGoneFromHost('a')
    expect(stateOf(ledger, 'a')).toEqual(nothing)
    expect(ledger.changesSince(0)).toEqual([{ path: 'a', kind: 'file', change: 'removed' }])
  })

  it('no longer knows the content after a change, and keeps that of the host', () => {
    ledger.recordChanged('a', { ...file, size: 4 }, 'all')
    expect(stateOf(ledger, 'a')).toEqual({
      ...nothing,
      known: { sandbox: { ...file, size: 4 }, host: hostFile, digest: host.digest },
      pending: 'all',
    })
  })

  it('still knows the content after a change of the permission bits', () => {
    ledger.recordChanged('a', { ...file, mode: 0o600 }, 'mode')
    expect(stateOf(ledger, 'a')).toEqual({
      ...nothing,
      known: { ...host, sandbox: { ...file, mode: 0o600 } },
      pending: 'mode',
    })
  })

  it('keeps a change of the content pending when the permission bits change too', () => {
    ledger.recordChanged('a', file, 'all')
    ledger.recordChanged('a', { ...file, mode: 0o600 }, 'mode')
    expect(ledger.pendingAt('a')).toBe('all')
  })

  it('keeps everything but the shown time where nothing changed', () => {
    const later = { ...file, shown: 'Nov 22 03:20' }
    ledger.recordUnchanged('a', later)
    expect(stateOf(ledger, 'a')).toEqual({ ...nothing, known: { ...host, sandbox: later } })
  })

  it('takes a new entry of the host with the same content', () => {
    const touched = { ...hostFile, modified: 9n }
    ledger.recordSameContent('a', hostSide(touched, bytes))
    expect(ledger.at('a')).toEqual({ ...host, host: touched, sandbox: file })
  })

  it('writes the file whole when the host lost it before its permission bits were set', () => {
    ledger.recordChanged('a', { ...file, mode: 0o600 }, 'mode')
    ledger.recordGoneFromHost('a')
    expect(stateOf(ledger, 'a')).toEqual({
      ...nothing,
      known: { sandbox: { ...file, mode: 0o600 }, host: undefined },
      pending: 'all',
    })
  })
})

describe('the ledger of a file that the sandbox made', () => {
  beforeEach(() => ledger.recordChanged('a', file, 'all'))

  it('makes it pending until it is written', () => {
    expect(stateOf(ledger, 'a')).toEqual({
      ...nothing,
      known: { sandbox: file, host: undefined },
      pending: 'all',
    })
    expect([ledger.hasPending, ledger.pendingPaths()]).toEqual([true, ['a']])
    ledger.recordWritten('a', host)
    expect(stateOf(ledger, 'a')).toEqual({ ...nothing, known: { ...host, sandbox: file } })
    expect([ledger.hasPending, ledger.pendingPaths()]).toEqual([false, []])
  })

  it('forgets it when it is removed before it was written', () => {
    ledger.recordRemoved('a')
    expect(stateOf(ledger, 'a')).toEqual(nothing)
    expect(ledger.changesSince(0)).toEqual([])
  })

  it('keeps its permission bits pending when only they are left to write', () => {
    ledger.recordWritten('a', host, 'mode')
    expect(ledger.pendingAt('a')).toBe('mode')
  })

  it('records its content, and nothing for a path that is not known', () => {
    ledger.recordContent('a', bytes)
    ledger.recordContent('b', bytes)
    expect(ledger.at('a')).toEqual({ sandbox: file, host: undefined, content: host.digest })
    expect(ledger.at('b')).toBeUndefined()
  })
})

describe('a withheld path', () => {
  beforeEach(() => {
    ledger.recordChanged('l', file, 'all')
    ledger.withhold('l', 'link that leads out')
  })

  it('is not pending', () => {
    expect(stateOf(ledger, 'l')).toEqual({
      known: { sandbox: file, host: undefined },
      pending: undefined,
      withheld: 'link that leads out',
    })
  })

  it.each([
    ['it changes', () => ledger.recordChanged('l', file, 'all'), 'all'],
    ['it is removed', () => ledger.recordRemoved('l'), undefined],
    ['it is forgotten', () => ledger.forget('l'), undefined],
    ['the host puts an entry there', () => ledger.recordBroughtIn('l', file, host), undefined],
  ])('is no longer withheld when %s', (_, change, pending) => {
    change()
    expect([ledger.withheld.size, ledger.pendingAt('l')]).toEqual([0, pending])
  })
})

describe('forget', () => {
  it('drops a path and all below it, and no other', () => {
    for (const rel of ['d', 'd/a', 'd/e/b', 'da', 'c']) ledger.recordChanged(rel, directory, 'all')
    ledger.withhold('d/a', 'link that leads out')
    ledger.forget('d')
    expect([...ledger.paths()]).toEqual(['da', 'c'])
    expect([ledger.size, ledger.pendingPaths(), ledger.withheld.size]).toEqual([2, ['da', 'c'], 0])
  })
})

describe('a change of the host', () => {
  beforeEach(() => {
    const hostDirectory: HostEntry = { ...hostFile, kind: 'directory', size: 0 }
    for (const rel of ['d', 'e']) ledger.recordBroughtIn(rel, directory, { host: hostDirectory })
    ledger.recordBroughtIn('f', file, host)
  })

  it('has to wait at a pending path, and not beside it', () => {
    ledger.recordChanged('f', file, 'all')
    expect([ledger.isBlocked('f'), ledger.isBlocked('g')]).toEqual([true, false])
  })

  it('has to wait below a directory that the sandbox replaced by a file', () => {
    ledger.recordChanged('d', file, 'all')
    expect([ledger.isBlocked('d/a/b'), ledger.isBlocked('e/a')]).toEqual([true, false])
  })

  it('has to wait below a directory that the sandbox removed', () => {
    ledger.recordRemoved('d')
    expect([ledger.isBlocked('d/a'), ledger.isBlocked('e/a')]).toEqual([true, false])
  })

  it('does not have to wait below a new directory', () => {
    ledger.recordChanged('n', directory, 'all')
    expect(ledger.isBlocked('n/a')).toBe(false)
  })

  it('does not have to wait where nothing is pending', () => {
    expect(ledger.isBlocked('f')).toBe(false)
  })
})

describe('the lists of a ledger', () => {
  it('tell which directories have pending changes in them', () => {
    ledger.recordChanged('d/a', file, 'all')
    expect(['d', 'd/a', 'da'].map((rel) => ledger.hasPendingBelow(rel))).toEqual([true, false, false])
  })

  it('have what the sandbox has, and its directories', () => {
    ledger.recordBroughtIn('a', file, host)
    ledger.recordBroughtIn('gone', file, host)
    ledger.recordRemoved('gone')
    ledger.recordInitial('d', directory)
    ledger.recordInitial('a', directory)
    expect([...ledger.paths()]).toEqual(['a', 'gone', 'd'])
    expect(ledger.sandboxPaths()).toEqual(['a', 'd'])
    expect(ledger.sandboxDirectories()).toEqual(['d'])
    expect([ledger.sandboxAt('a'), ledger.sandboxAt('gone')]).toEqual([file, undefined])
  })

  it('have what the last look at the host skipped, and what was skipped after it', () => {
    const skipped = (path: string) => ({ path, reason: 'socket' }) as const
    ledger.recordSkipped([skipped('a')])
    ledger.recordSkipped([skipped('b')])
    ledger.addSkipped([skipped('c')])
    expect(ledger.skipped).toEqual([skipped('b'), skipped('c')])
  })

  it('have the changes since a mark', () => {
    ledger.recordChanged('a', file, 'all')
    const mark = ledger.markChanges()
    ledger.recordChanged('a', file, 'all')
    ledger.recordChanged('b', file, 'all')
    expect(ledger.changesSince(mark)).toEqual([
      { path: 'a', kind: 'file', change: 'changed' },
      { path: 'b', kind: 'file', change: 'added' },
    ])
  })
})
