import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ShellAdapter, type ShellAdapterOptions } from '../../../src/argv/index.ts'
import { cases } from '../../support/tier.ts'
import { RemoteSandbox } from '../helpers.ts'

const blanks = fc.constantFrom(' ', '  ', '\t', ' \t ', ' \\\n ')
const prefixes = fc.constantFrom('', '/usr/bin/', './', '../', '/bin/../bin/', '//usr//bin//')

/** A word with parts of it quoted, at random. */
function spelt(word: string): fc.Arbitrary<string> {
  const parts = Array.from(word, (character) =>
    fc.constantFrom(
      character,
      `'${character}'`,
      `"${character}"`,
      `\\${character}`,
      `''${character}`,
      `${character}\\\n`,
    ),
  )
  return fc.tuple(...parts).map((spelling) => spelling.join(''))
}

/** The same words, spelt and spaced in another way. */
function respelt(words: readonly string[]): fc.Arbitrary<string> {
  const spellings = words.map((word) => fc.tuple(blanks, spelt(word)))
  return fc.tuple(blanks, ...spellings).map(([lead, ...rest]) => lead + rest.flat().join(''))
}

/** A blocked command as a further one, behind or within one that is not. */
function smuggled(command: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const around = fc.constantFrom<readonly [string, string]>(
    ['', ''],
    ['ls \n', ''],
    ['ls\r', ''],
    ['ls;', ''],
    ['ls &', ''],
    ['ls |', ''],
    ['ls&&', ''],
    ['ls ||', ''],
    ['cat <(', ')'],
    ['echo $(', ')'],
    ['echo `', '`'],
    ['', ' > file'],
    ['', '; ls'],
  )
  return fc.tuple(around, command).map(([[before, after], text]) => before + text + after)
}

describe('a refused command', () => {
  it.each([
    ['blocked', { blocked: ['git push', 'rm'] }, ['git', 'push', '-f']],
    ['blocked', { blocked: ['git push', 'rm'] }, ['rm', 'file']],
    ['not allowed', { allowed: ['git log', 'ls', 'cat', 'echo'] }, ['git', 'push']],
    ['not allowed', { readonly: true }, ['touch', 'file']],
  ] as const)('that is %s by %j is refused in every spelling', async (_, options, [program, ...args]) => {
    const commands = fc
      .tuple(
        prefixes.chain((prefix) => spelt(prefix + program)),
        respelt(args),
      )
      .map(([name, rest]) => name + rest)
    await fc.assert(
      fc.asyncProperty(smuggled(commands), async (command) => {
        expect(await refusalOf(command, options)).toMatch(/^Command not allowed/)
      }),
      { numRuns: cases(250) },
    )
  })

  it('is refused in every spelling of the path', async () => {
    const detours = fc.array(fc.constantFrom('./', 'sub/../', './/', '../workspace/', '/workspace/'), {
      maxLength: 3,
    })
    const words = detours.map((parts) => {
      const from = parts.lastIndexOf('/workspace/')
      return `${parts.slice(Math.max(from, 0)).join('')}secrets/../.env`
    })
    const commands = words.chain((word) => respelt([word])).map((rest) => `cat ${rest}`)
    await fc.assert(
      fc.asyncProperty(commands, async (command) => {
        expect(await refusalOf(command, { ignore: ['.env'] })).toMatch(/^Access denied: /)
      }),
      { numRuns: cases(250) },
    )
  })
})

/** What is said to a command that must not run; fails when it runs. */
async function refusalOf(command: string, options: ShellAdapterOptions): Promise<string> {
  const sandbox = new RemoteSandbox()
  const said = await new ShellAdapter(sandbox, options).run(command)
  expect(sandbox.execs).toEqual([])
  return said
}
