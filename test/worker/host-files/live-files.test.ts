import { execFileSync } from 'node:child_process'
import { chmodSync, linkSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { system } from '../../../worker/host-files/descriptors.ts'
import { createExclude } from '../../../worker/host-files/exclude.ts'
import { LiveFiles } from '../../../worker/host-files/live-files.ts'
import { fileSystems, modeOf, openDescriptors, Scratch } from './scratch.ts'

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()
const bytes = (words: string) => Buffer.from(words)
const code = (name: string) => expect.objectContaining({ code: name })

describe.each([
  { how: 'through descriptors', hasDescriptorPaths: true },
  { how: 'where open files have no paths', hasDescriptorPaths: false },
])('live files, $how', ({ hasDescriptorPaths }) => {
  function open(exclude: readonly string[] = []): { scratch: Scratch; files: LiveFiles } {
    system.hasDescriptorPaths = hasDescriptorPaths
    const scratch = new Scratch(fileSystems[0]?.parent ?? '/tmp')
    onTestFinished(() => {
      system.hasDescriptorPaths = true
      scratch[Symbol.dispose]()
    })
    return { scratch, files: new LiveFiles(scratch.bind, createExclude(exclude, [])) }
  }

  it('are written whole, keep their mode, and are appended to in place', () => {
    const { scratch, files } = open()
    const descriptors = openDescriptors()
    scratch.file('f', 'old')
    chmodSync(scratch.at('f'), 0o750)
    const { ino } = lstatSync(scratch.at('f'))
    expect([files.append('f', bytes('er'), 0o600, 100), lstatSync(scratch.at('f')).ino]).toEqual([
      'changed',
      ino,
    ])
    expect(scratch.read('f')).toBe('older')
    expect([files.write('f', bytes('new'), 0o600), files.write('g', bytes('G'), 0o640)]).toEqual([
      'changed',
      'added',
    ])
    expect(files.append('h', bytes('H'), 0o604, 100)).toBe('added')
    expect(scratch.contents()).toEqual({ f: 'new', g: 'G', h: 'H' })
    expect(['f', 'g', 'h'].map((name) => modeOf(scratch.at(name)))).toEqual(['750', '640', '604'])
    expect(openDescriptors()).toBe(descriptors)
  })

  it('make, move and remove directories and links that stay inside', () => {
    const { scratch, files } = open()
    files.makeDirectory('d', 0o711)
    files.makeLink('d/up', '../f')
    files.write('d/f', bytes('F'), 0o644)
    expect(modeOf(scratch.at('d'))).toBe('711')
    files.rename('d', 'e')
    expect(scratch.contents()).toEqual({ e: '/', 'e/f': 'F', 'e/up': '-> ../f' })
    expect(() => files.remove('e')).toThrow(code('ENOTEMPTY'))
    files.rename('e/f', 'f')
    expect(() => files.rename('e/up', 'up')).toThrow(code('EPERM'))
    files.remove('e/up')
    files.remove('e')
    expect(scratch.contents()).toEqual({ f: 'F' })
    expect(() => files.makeLink('out', '../outside')).toThrow(code('EPERM'))
    expect(() => files.makeLink('abs', scratch.at('f'))).toThrow(code('EPERM'))
  })

  it('do not move a directory to where a link in it would lead out', () => {
    const { scratch, files } = open()
    mkdirSync(scratch.at('a/b'), { recursive: true })
    scratch.link('a/b/l', '../../x')
    expect(() => files.rename('a/b', 'b')).toThrow(code('EPERM'))
    expect(() => files.rename('a', 'a/b/c')).toThrow(code('EINVAL'))
    files.rename('a/b', 'a/c')
    expect(scratch.contents()).toEqual({ a: '/', 'a/c': '/', 'a/c/l': '-> ../../x' })
  })

  it('are separated from names outside before they change', () => {
    const { scratch, files } = open()
    for (const name of ['append', 'mode', 'time', 'write']) {
      writeFileSync(`${scratch.outside}/${name}`, 'theirs')
      linkSync(`${scratch.outside}/${name}`, scratch.at(name))
    }
    const before = lstatSync(`${scratch.outside}/time`).mtimeMs
    files.append('append', bytes('+'), 0o644, 100)
    files.chmod('mode', 0o777)
    files.setModified('time', new Date(0))
    files.write('write', bytes('ours'), 0o644)
    expect(scratch.contents()).toEqual({ append: 'theirs+', mode: 'theirs', time: 'theirs', write: 'ours' })
    expect([modeOf(scratch.at('mode')), lstatSync(scratch.at('time')).mtimeMs]).toEqual(['777', 0])
    for (const name of ['append', 'mode', 'time', 'write'])
      expect(readFileSync(`${scratch.outside}/${name}`, 'utf8')).toBe('theirs')
    expect([modeOf(`${scratch.outside}/mode`), lstatSync(`${scratch.outside}/time`).mtimeMs]).toEqual([
      '644',
      before,
    ])
  })

  it('leave out links that lead out, FIFOs and excluded paths, and replace none of them', () => {
    const { scratch, files } = open(['hidden', '*.log'])
    execFileSync('mkfifo', [scratch.at('fifo')])
    scratch.link('out', '../outside/secret')
    scratch.file('d/hidden', 'kept')
    scratch.file('d/f', 'f')
    writeFileSync(`${scratch.outside}/secret`, 'secret')
    expect([...files.list('').keys(), ...files.list('d').keys()]).toEqual(['d', 'f'])
    for (const name of ['fifo', 'out', 'd/hidden']) {
      expect(files.look(name)).toBeUndefined()
      expect(() => files.write(name, bytes('x'), 0o644)).toThrow(
        expect.objectContaining({ code: expect.any(String) }),
      )
      expect(() => files.append(name, bytes('x'), 0o644, 9)).toThrow(
        expect.objectContaining({ code: expect.any(String) }),
      )
      expect(() => files.remove(name)).toThrow(code('ENOENT'))
      expect(() => files.rename('d/f', name)).toThrow(code('EPERM'))
    }
    expect(() => files.write('a.log', bytes('x'), 0o644)).toThrow(code('EPERM'))
    // Under another name the excluded file would be seen.
    expect(() => files.rename('d', 'e')).toThrow(code('EPERM'))
    expect(() => files.remove('d')).toThrow(code('ENOTEMPTY'))
    expect(readFileSync(`${scratch.outside}/secret`, 'utf8')).toBe('secret')
    expect(lstatSync(scratch.at('fifo')).isFIFO()).toBe(true)
  })

  it('are refused where they are too large, and under links', () => {
    const { scratch, files } = open()
    scratch.file('f', 'four')
    mkdirSync(`${scratch.outside}/d`)
    writeFileSync(`${scratch.outside}/d/f`, 'secret')
    symlinkSync(`${scratch.outside}/d`, scratch.at('d'))
    expect(() => files.read('f', 3)).toThrow(code('EFBIG'))
    expect(text(files.read('f', 4))).toBe('four')
    expect(() => files.read('d/f', 99)).toThrow(code('ENOTDIR'))
    expect(() => files.write('d/new', bytes('x'), 0o644)).toThrow(code('ENOTDIR'))
    expect(() => files.write('../outside/new', bytes('x'), 0o644)).toThrow(code('EPERM'))
    files.stop()
    expect(() => files.write('f', bytes('x'), 0o644)).toThrow(code('EIO'))
  })
})
