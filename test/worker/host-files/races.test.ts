import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { sameEntry } from '../../../worker/host-files/entry.ts'
import { HostGoneError, HostRefusedError, HostWriteError } from '../../../worker/host-files/errors.ts'
import { claimName } from '../../../worker/host-files/names.ts'
import { HostTree } from '../../../worker/host-files/tree.ts'
import { HostWriter } from '../../../worker/host-files/writer.ts'
import { systemCode } from '../../../worker/service/system-code.ts'
import { hook } from './fs-hook.ts'
import { contentsOf, entryOf, fileSystems, openDescriptors, RaceScratch, swaps, traceOf } from './scratch.ts'

vi.mock('node:fs', async (original) => (await import('./fs-hook.ts')).hooked(await original()))

const everything = { isExcluded: () => false, maxFileSize: 0 }
const { secret } = RaceScratch
const ours = Buffer.from('ours')
const hostsOwn = 'written by the host meanwhile'

const acts = {
  'writes a file': (stage: RaceScratch, tree: HostTree, writer: HostWriter) => {
    writer.writeFile('a/d/f', ours, { expected: knownFile(stage, tree) })
  },
  'writes a file over another': (_, __, writer) => {
    writer.writeFile('a/d/f', ours, { expected: undefined })
  },
  'writes a new file': (_, __, writer) => {
    writer.writeFile('a/d/new', ours, { mode: 0o600, expected: undefined })
  },
  'writes a file in a new directory': (_, __, writer) => {
    writer.writeFile('a/d/new/f', ours, { expected: undefined })
  },
  'makes a directory': (_, __, writer) => {
    writer.makeDirectory('a/d/new', { mode: 0o700, expected: undefined })
  },
  'makes a directory of a file': (stage, tree, writer) => {
    writer.makeDirectory('a/d/f', { expected: knownFile(stage, tree) })
  },
  'makes a link': (_, __, writer) => {
    writer.makeLink('a/d/new', 'f', { expected: undefined })
  },
  'makes a link of a file': (stage, tree, writer) => {
    writer.makeLink('a/d/f', 'l', { expected: knownFile(stage, tree) })
  },
  'removes a file': (stage, tree, writer) => {
    writer.remove('a/d/f', { expected: knownFile(stage, tree) })
  },
  'removes a directory': (stage, tree, writer) => {
    writer.remove('a/d/empty', { expected: { ...knownFile(stage, tree), kind: 'directory' } })
  },
  'sets a mode': (stage, tree, writer) => {
    writer.chmod('a/d/f', 0o777, { expected: knownFile(stage, tree) })
  },
  'reads a file': (_, tree) => {
    const read = tree.read('a/d/f')
    if (typeof read !== 'string') expect(Buffer.from(read.bytes).toString()).not.toBe(secret)
  },
  scans: (_, tree) => {
    const paths = [...tree.scan().entries.keys()]
    expect(paths.filter((path) => path.endsWith('secret'))).toEqual([])
  },
  looks: (_, tree) => {
    const found = tree.look('a/d/secret')
    expect(found).toBeUndefined()
  },
  lists: (_, tree) => {
    const found = tree.list('a/d')
    if (found !== undefined && 'entries' in found) expect(found.entries.has('secret')).toBe(false)
  },
} satisfies Record<string, (stage: RaceScratch, tree: HostTree, writer: HostWriter) => void>

const known = new WeakMap<RaceScratch, ReturnType<typeof entryOf>>()
function knownFile(stage: RaceScratch, tree: HostTree): ReturnType<typeof entryOf> {
  return known.get(stage) ?? entryOf(tree.look('a/d/f'))
}

/**
 * Runs an act again and again, each time with `meddle` before another one of its file system calls, until it makes
 * no more calls.
 * @returns how many there were.
 */
function atEveryCall(
  parent: string,
  act: (stage: RaceScratch, tree: HostTree, writer: HostWriter) => void,
  meddle: (stage: RaceScratch) => void,
  check: (stage: RaceScratch, call: string) => void,
): number {
  for (let point = 0; ; point++) {
    using stage = new RaceScratch(parent)
    const tree = new HostTree(stage.bind, everything)
    known.set(stage, entryOf(tree.look('a/d/f')))
    const descriptors = openDescriptors()
    let calls = 0
    let meddledBefore: string | undefined
    try {
      using writer = new HostWriter(tree)
      hook.before = (name) => {
        if (calls++ !== point) return
        meddledBefore = name
        try {
          meddle(stage)
        } catch (error) {
          // What is to be meddled with is not there yet, or no more.
          if (!['ENOENT', 'EISDIR', 'ENOTDIR', 'EEXIST'].includes(systemCode(error) ?? '')) throw error
        }
      }
      act(stage, tree, writer)
    } catch (error) {
      const isExpected =
        error instanceof HostRefusedError || error instanceof HostWriteError || error instanceof HostGoneError
      if (!isExpected) throw error
    } finally {
      hook.before = undefined
    }
    expect(openDescriptors()).toBe(descriptors)
    if (meddledBefore === undefined) return point
    check(stage, meddledBefore)
    expect(Object.keys(contentsOf(stage.root)).filter((path) => path.endsWith('.tmp'))).toEqual([])
  }
}

describe.each(fileSystems)('a host on $fs that changes files before any one system call', ({ parent }) => {
  describe.each(Object.entries(acts))('while it %s', (_, act) => {
    it.each(swaps)(
      'causes no change outside the bind when it swaps $what by a link to outside',
      ({ rel, outside }) => {
        let before: unknown
        const calls = atEveryCall(
          parent,
          act,
          (stage) => {
            before = [traceOf(stage.outside), traceOf(`${stage.outside}/d`), contentsOf(stage.outside)]
            stage.swap(rel, [stage.root, ...outside].join('/'))
          },
          (stage) => {
            const after = [traceOf(stage.outside), traceOf(`${stage.outside}/d`), contentsOf(stage.outside)]
            expect(after).toEqual(before)
          },
        )
        expect(calls).toBeGreaterThan(2)
      },
    )
  })

  it.each([
    'writes a file',
    'writes a file over another',
    'makes a directory of a file',
    'removes a file',
  ] as const)('has its own replacement of the file kept while it %s, but for the last call', (name) => {
    const lost: string[] = []
    atEveryCall(
      parent,
      acts[name],
      (stage) => {
        writeFileSync(stage.at('a/d/f.own'), hostsOwn)
        renameSync(stage.at('a/d/f.own'), stage.at('a/d/f'))
      },
      (stage, call) => {
        if (!Object.values(stage.contents()).includes(hostsOwn)) lost.push(call)
      },
    )
    expect(lost.filter((call) => call !== 'renameSync' && call !== 'unlinkSync')).toEqual([])
    expect(lost.length).toBeLessThanOrEqual(1)
  })

  it.each([
    'writes a file',
    'writes a file over another',
    'makes a directory of a file',
    'removes a file',
  ] as const)('has the version of another writer of this package kept while it %s', (name) => {
    let isWritten = false
    const calls = atEveryCall(
      parent,
      acts[name],
      (stage) => {
        isWritten = false
        const found = lstatSync(stage.at('a/d/f'), { bigint: true })
        if (!found.isFile()) return
        const claim = stage.at(`a/d/${claimName(found.ino)}`)
        linkSync(stage.at('a/d/f'), claim) // The other one waits where this fails.
        writeFileSync(stage.at('a/d/f.own'), hostsOwn)
        renameSync(stage.at('a/d/f.own'), stage.at('a/d/f'))
        unlinkSync(claim)
        isWritten = true
      },
      (stage) => {
        expect(Object.values(stage.contents()).includes(hostsOwn)).toBe(isWritten)
      },
    )
    expect(calls).toBeGreaterThan(2)
  })

  it('does not wait long for a claim that a process left as it ended', () => {
    using stage = new RaceScratch(parent)
    const tree = new HostTree(stage.bind, everything)
    known.set(stage, entryOf(tree.look('a/d/f')))
    linkSync(stage.at('a/d/f'), stage.at(`a/d/${claimName(knownFile(stage, tree).inode)}`))
    using writer = new HostWriter(tree)
    acts['writes a file'](stage, tree, writer)
    expect(stage.read('a/d/f')).toBe('ours')
    expect(readdirSync(stage.at('a/d')).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  it('has its own new file kept beside the sandbox’s, whenever it comes', () => {
    let isMade = false
    atEveryCall(
      parent,
      acts['writes a new file'],
      (stage) => {
        isMade = false
        writeFileSync(stage.at('a/d/new'), hostsOwn, { flag: 'wx' })
        isMade = true
      },
      (stage) => {
        const contents = Object.values(stage.contents())
        expect([contents.includes('ours'), contents.includes(hostsOwn)]).toEqual([true, isMade])
      },
    )
  })

  it('causes no failure when it removes the directory, or puts one at the path', () => {
    const removed = (stage: RaceScratch) => rmSync(stage.at('a'), { recursive: true })
    atEveryCall(parent, acts['writes a file'], removed, () => undefined)
    const replaced = (stage: RaceScratch) => {
      rmSync(stage.at('a/d/f'), { force: true })
      mkdirSync(stage.at('a/d/f'), { recursive: true })
      writeFileSync(stage.at('a/d/f/inside'), hostsOwn)
    }
    atEveryCall(parent, acts['writes a file'], replaced, (stage) => {
      expect(Object.values(stage.contents())).toContain(hostsOwn)
    })
  })

  it('never causes a read of a mixture of two versions', () => {
    const versions = ['old', 'new']
    let read: ReturnType<HostTree['read']> = 'changed'
    atEveryCall(
      parent,
      (_, tree) => {
        read = tree.read('a/d/f')
      },
      (stage) => {
        writeFileSync(stage.at('a/d/f'), versions[1] ?? '')
        utimesSync(stage.at('a/d/f'), 9_000_000_000, 9_000_000_000)
      },
      (stage) => {
        if (typeof read === 'string') throw new Error(read)
        const bytes = Buffer.from(read.bytes).toString()
        expect(versions).toContain(bytes)
        const isNewest = bytes === stage.read('a/d/f')
        expect(sameEntry(read.entry, entryOf(new HostTree(stage.bind, everything).look('a/d/f')))).toBe(
          isNewest,
        )
      },
    )
  })
})
