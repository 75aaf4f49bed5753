import { describe, expect, it } from 'vitest'
import { parseListing } from '../../../../../worker/engines/strands/mirror/sandbox/listing.ts'

const NULL = 'crw-rw-rw-        0 Nov 22 02:22 /dev/null\n'
const columns = (kind: string, size: number) => `${kind}rw-r-x--- ${String(size).padStart(8)} Nov  2 02:22 `
const file = (name: string, size = 1) => `${columns('-', size)}${name}\n`
const link = (name: string, target: string) =>
  `${columns('l', Buffer.byteLength(target))}${name} -> ${target}\n`

/** Names and kinds of what was read, with the targets of links. */
function read(output: string, ...paths: string[]): unknown {
  const listing = parseListing(NULL + output + NULL, ['/dev/null', ...paths, '/dev/null'])
  if (listing === undefined) return undefined
  const facts = (entries: ReadonlyMap<string, { kind: string; target?: string }>) =>
    Object.fromEntries([...entries].map(([name, { kind, target }]) => [name, target ?? kind]))
  const directories = [...listing.directories].map(([path, entries]) => [path, facts(entries)])
  return { ...facts(listing.others), ...Object.fromEntries(directories) }
}

describe('parseListing', () => {
  it('reads kinds, modes, sizes and times', () => {
    const output = `\n/w:\n-rwsr-x--T       12 Nov 22 02:22 a\ndr-x------        0 Jan  1  2020 d\n${NULL.replace('/dev/', '')}\n`
    const listing = parseListing(NULL + output + NULL, ['/dev/null', '/w', '/dev/null'])
    expect(Object.fromEntries(listing?.directories.get('/w') ?? [])).toEqual({
      a: { kind: 'file', mode: 0o750, special: 0o5000, size: 12, shown: 'Nov 22 02:22' },
      d: { kind: 'directory', mode: 0o500, size: 0, shown: 'Jan  1  2020' },
    })
  })

  it('reads empty directories, files and links among the paths', () => {
    const output = `\n/w/e:\n\n${file('/w/f')}\n${link('/w/l', '../x')}\n/w/e2:\n\n`
    expect(read(output, '/w/e', '/w/f', '/w/l', '/w/e2')).toEqual({
      '/w/e': {},
      '/w/f': 'file',
      '/w/l': '../x',
      '/w/e2': {},
    })
  })

  it.each([
    'two\nlines',
    '\nled',
    'ended\n',
    'blank\n\nline',
    '\n',
    'x -> y',
    'colon:',
    ' b ',
    '日本\u{1f600}',
    '/w:',
  ])('reads a file named %j, wherever it stands', (name) => {
    const output = `\n/w:\n${file('a')}${file(name)}${file('z')}\n/w/d:\n${file(name)}\n${file(`/w/${name}`)}\n`
    const entries = { a: 'file', [name]: 'file', z: 'file' }
    expect(read(output, '/w', '/w/d', `/w/${name}`)).toEqual({
      '/w': entries,
      '/w/d': { [name]: 'file' },
      [`/w/${name}`]: 'file',
    })
  })

  it('reads a directory whose name has line breaks', () => {
    expect(read(`\n/w/a\nb\n:\n${file('f')}\n`, '/w/a\nb\n')).toEqual({ '/w/a\nb\n': { f: 'file' } })
  })

  it.each(['x', '../ünï', 'a -> b', 'x\n\n/w/d:', `y\n${file('no file')}`, 'ends\n'])(
    'reads a link to %j by its size',
    (target) => {
      const output = `\n/w:\n${link('l -> m', target)}${link('n\no', target)}\n/w/d:\n\n`
      expect(read(output, '/w', '/w/d')).toEqual({ '/w': { 'l -> m': target, 'n\no': target }, '/w/d': {} })
    },
  )

  it.each([
    ['a path that is missing', `\n/w:\n${file('a')}\n\n/w/e:\n\n`],
    ['the last path missing', `\n/w:\n${file('a')}\n\n`],
    ['output that was cut', `\n/w:\n${file('a')}-rw-r`],
    ['another command’s output', 'hello\n'],
    ['nothing', ''],
  ])('refuses %s', (_, output) => {
    expect(read(output, '/w', '/w/d', '/w/e')).toBeUndefined()
  })

  it('refuses what stops before the last path', () => {
    expect(parseListing(`${NULL}\n/w:\n${file('a')}`, ['/dev/null', '/w', '/dev/null'])).toBeUndefined()
  })
})
