import { linkSync, writeFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { LiveFiles } from '../../../worker/host-files/live-files.ts'
import { systemCode } from '../../../worker/service/system-code.ts'
import { hook } from './fs-hook.ts'
import { contentsOf, fileSystems, openDescriptors, RaceScratch, swaps, traceOf } from './scratch.ts'

vi.mock('node:fs', async (original) => (await import('./fs-hook.ts')).hooked(await original()))

const { secret } = RaceScratch
const bytes = Buffer.from('ours')

/** With a file beside `a`, and one that has a second name outside. */
class Stage extends RaceScratch {
  constructor(parent: string) {
    super(parent)
    this.file('other', 'other')
    writeFileSync(`${this.outside}/hard`, secret)
    linkSync(`${this.outside}/hard`, this.at('a/d/hard'))
  }
}

const acts: Record<string, (files: LiveFiles) => unknown> = {
  'writes a file': (files) => files.write('a/d/f', bytes, 0o644),
  'writes a new file': (files) => files.write('a/d/new', bytes, 0o644),
  'appends to a file': (files) => files.append('a/d/f', bytes, 0o644, 1000),
  'appends to a new file': (files) => files.append('a/d/new', bytes, 0o644, 1000),
  'appends to a file with a name outside': (files) => files.append('a/d/hard', bytes, 0o644, 1000),
  'makes a directory': (files) => files.makeDirectory('a/d/new', 0o700),
  'makes a link': (files) => files.makeLink('a/d/new', 'f'),
  'makes a second name': (files) => files.link('a/d/f', 'a/d/new'),
  'removes a file': (files) => files.remove('a/d/f'),
  'removes a link': (files) => files.remove('a/d/l'),
  'removes a directory': (files) => files.remove('a/d/empty'),
  'moves a file': (files) => files.rename('a/d/f', 'a/d/moved'),
  'moves a file out of the directory': (files) => files.rename('a/d/f', 'moved'),
  'moves a file into the directory': (files) => files.rename('other', 'a/d/f'),
  'moves a directory': (files) => files.rename('a/d', 'a/e'),
  'sets a mode': (files) => files.chmod('a/d/f', 0o777),
  'sets the mode of a directory': (files) => files.chmod('a/d', 0o777),
  'sets a time': (files) => files.setModified('a/d/f', new Date(0)),
  'reads a file': (files) => expect(Buffer.from(files.read('a/d/f', 1000)).toString()).not.toBe(secret),
  lists: (files) => expect([...files.list('a/d').keys()]).not.toContain('secret'),
  looks: (files) => expect(files.look('a/d/secret')).toBeUndefined(),
  walks: (files) => expect([...files.subtree('a').entries.keys()]).not.toContain('a/d/secret'),
}

describe.each(fileSystems)('a host on $fs that changes files before any one system call', ({ parent }) => {
  describe.each(Object.entries(acts))('while a live bind %s', (_, act) => {
    it.each(swaps)(
      'shows and changes nothing outside when it swaps $what by a link to outside',
      ({ rel, outside }) => {
        for (let point = 0; ; point++) {
          using stage = new Stage(parent)
          const files = new LiveFiles(stage.bind, () => false)
          const before = [traceOf(stage.outside), traceOf(`${stage.outside}/d`), contentsOf(stage.outside)]
          const descriptors = openDescriptors()
          let calls = 0
          let isSwapped = false
          hook.before = () => {
            if (calls++ !== point) return
            isSwapped = true
            try {
              stage.swap(rel, [stage.root, ...outside].join('/'))
            } catch (error) {
              // What is to be swapped was moved or removed already.
              if (systemCode(error) !== 'ENOENT') throw error
            }
          }
          try {
            act(files)
          } catch (error) {
            if (systemCode(error) === undefined) throw error
          } finally {
            hook.before = undefined
          }
          expect(openDescriptors()).toBe(descriptors)
          if (!isSwapped) {
            expect(point).toBeGreaterThan(2)
            return
          }
          const after = [traceOf(stage.outside), traceOf(`${stage.outside}/d`), contentsOf(stage.outside)]
          expect(withoutLinks(after)).toEqual(withoutLinks(before))
          expect(Object.keys(contentsOf(stage.root)).filter((path) => path.endsWith('.tmp'))).toEqual([])
        }
      },
    )
  })
})

/** Separating a file from its name outside lowers the count of names there, and sets the time of that change. */
function withoutLinks(traces: readonly unknown[]): string {
  const shown = JSON.stringify(traces, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  return shown.replaceAll(/(hard",(?:"[^"]*",){4})"[^"]*","[^"]*"/g, '$1')
}
