import { constants, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { hasExactTimes } from '../../../worker/host-files/directory-names.ts'
import { HostTree } from '../../../worker/host-files/tree.ts'
import { HostWriter } from '../../../worker/host-files/writer.ts'
import { entryOf, fileSystems, modeOf, openDescriptors, Scratch } from './scratch.ts'

/** What the system answers to a call instead of doing it. */
const faults = vi.hoisted(() => new Map<string, (...args: unknown[]) => unknown>())

vi.mock('node:fs', async (original) => {
  const real = await original<Record<string, unknown>>()
  const faulty = Object.entries(real).map(([name, value]) => {
    if (typeof value !== 'function') return [name, value]
    return [name, (...args: unknown[]): unknown => Reflect.apply(faults.get(name) ?? value, undefined, args)]
  })
  return Object.fromEntries(faulty)
})

const everything = { isExcluded: () => false, maxFileSize: 0 }

function refuse(code: string): () => never {
  return () => {
    throw Object.assign(new Error(`${code}: no`), { code })
  }
}

/** Runs `act` while calls of `name` come out otherwise. */
function withFault<T>(name: string, fault: (...args: never[]) => unknown, act: () => T): T {
  faults.set(name, (...args) => Reflect.apply(fault, undefined, args))
  try {
    return act()
  } finally {
    faults.delete(name)
  }
}

describe.each(fileSystems)('on $fs', ({ parent }) => {
  it.each(['EPERM', 'EOPNOTSUPP', 'EMLINK'])(
    'keeps copies where the file system refuses links with %s',
    (code) => {
      using host = new Scratch(parent)
      const tree = new HostTree(host.bind, everything)
      using writer = new HostWriter(tree)
      host.file('a', 'host')
      const mode = modeOf(host.at('a'))
      const written = withFault('linkSync', refuse(code), () => [
        writer.writeFile('a', Buffer.from('ours'), { expected: undefined }),
        writer.writeFile('new', Buffer.from('ours'), { expected: undefined }),
      ])
      expect(written).toEqual([
        { entry: tree.look('a'), conflict: { path: 'a', kept: 'a.host-conflict' } },
        { entry: tree.look('new') },
      ])
      expect(host.contents()).toEqual({ a: 'ours', 'a.host-conflict': 'host', new: 'ours' })
      expect(modeOf(host.at('a.host-conflict'))).toBe(mode)
    },
  )

  it('writes all bytes when the system accepts a few at a time', async () => {
    using host = new Scratch(parent)
    using writer = new HostWriter(new HostTree(host.bind, everything))
    const { writeSync } = await vi.importActual<typeof import('node:fs')>('node:fs')
    const few = (descriptor: number, bytes: Uint8Array, offset: number, length: number) =>
      writeSync(descriptor, bytes, offset, Math.min(length, 3))
    withFault('writeSync', few, () =>
      writer.writeFile('a', Buffer.from('0123456789'), { expected: undefined }),
    )
    expect(host.contents()).toEqual({ a: '0123456789' })
  })

  it.each([
    ['openSync', 'EMFILE'],
    ['writeSync', 'ENOSPC'],
    ['chmodSync', 'EROFS'],
    ['renameSync', 'EACCES'],
  ])('leaves the old file and nothing else when %s fails', (name, code) => {
    using host = new Scratch(parent)
    const tree = new HostTree(host.bind, everything)
    host.file('a', 'old')
    const expected = entryOf(tree.look('a'))
    host.file('b', 'host')
    const before = openDescriptors()
    {
      using writer = new HostWriter(tree)
      for (const [rel, known] of [
        ['a', expected],
        ['b', undefined],
      ] as const) {
        const write = () => writer.writeFile(rel, Buffer.from('new'), { mode: 0o611, expected: known })
        expect(() => withFault(name, refuse(code), write)).toThrow(
          expect.objectContaining({ name: 'HostWriteError', code, path: rel }),
        )
      }
    }
    expect(openDescriptors()).toBe(before)
    expect(host.contents()).toEqual({ a: 'old', b: 'host' })
  })

  it('leaves the old file when the close reports a full disk', async () => {
    using host = new Scratch(parent)
    const tree = new HostTree(host.bind, everything)
    using writer = new HostWriter(tree)
    host.file('a', 'old')
    const expected = entryOf(tree.look('a'))
    const { closeSync, readlinkSync } = await vi.importActual<typeof import('node:fs')>('node:fs')
    const full = (descriptor: number) => {
      const flags =
        /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1] ?? ''
      const isWriting = (Number.parseInt(flags, 8) & 3) === constants.O_WRONLY
      const path = readlinkSync(`/proc/self/fd/${descriptor}`)
      closeSync(descriptor)
      if (isWriting && path.endsWith('.tmp')) refuse('ENOSPC')()
    }
    const write = () => writer.writeFile('a', Buffer.from('new'), { expected })
    expect(() => withFault('closeSync', full, write)).toThrow(expect.objectContaining({ code: 'ENOSPC' }))
    expect(host.contents()).toEqual({ a: 'old' })
  })

  it('rejects a scan that runs out of descriptors, and does not report a directory as unreadable', () => {
    using host = new Scratch(parent)
    host.file('d/a')
    const tree = new HostTree(host.bind, everything)
    expect(() => withFault('openSync', refuse('EMFILE'), () => tree.scan())).toThrow('EMFILE')
    expect(() => withFault('lstatSync', refuse('ENOMEM'), () => tree.look('d/a'))).toThrow('ENOMEM')
    expect(() => withFault('openSync', refuse('ENFILE'), () => tree.read('d/a'))).toThrow('ENFILE')
    expect(withFault('openSync', refuse('EIO'), () => tree.read('d/a'))).toBe('unreadable')
  })

  it.runIf(hasExactTimes(parent))(
    'an unchanged directory is not listed again, and a changed one is',
    async () => {
      using host = new Scratch(parent)
      for (const rel of ['d/a', 'd/b', 'e/a']) host.file(rel)
      const tree = new HostTree(host.bind, everything)
      const { readdirSync } = await vi.importActual<typeof import('node:fs')>('node:fs')
      let listed = 0
      const scan = (): string[] => {
        listed = 0
        const list = (...args: Parameters<typeof readdirSync>) => {
          listed++
          return readdirSync(...args)
        }
        return [...withFault('readdirSync', list, () => tree.scan()).entries.keys()].toSorted()
      }
      const all = scan()
      await expect.poll(() => [scan(), listed], { interval: 20 }).toEqual([all, 0])
      renameSync(host.at('d/a'), host.at('e/c'))
      expect([scan(), listed]).toEqual([['', 'd', 'd/b', 'e', 'e/a', 'e/c'], 2])
      writeFileSync(host.at('e/f'), '')
      expect(scan()).toEqual(['', 'd', 'd/b', 'e', 'e/a', 'e/c', 'e/f'])
      renameSync(host.at('d'), host.at('x'))
      renameSync(host.at('e'), host.at('d'))
      expect(scan()).toEqual(['', 'd', 'd/a', 'd/c', 'd/f', 'x', 'x/b'])
      rmSync(host.at('d'), { recursive: true })
      expect(scan()).toEqual(['', 'x', 'x/b'])
      writeFileSync(host.at('x/b'), 'changed')
      expect(entryOf(tree.scan().entries.get('x/b')).size).toBe(7)
    },
  )
})
