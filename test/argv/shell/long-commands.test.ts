import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ShellAdapter } from '../../../src/argv/index.ts'
import { isFull } from '../../support/tier.ts'
import { localSandbox, RemoteSandbox, temporaryDirectory } from '../helpers.ts'

const LENGTH = 100_000

/** A text of about that length. */
function long(part: string): string {
  return part.repeat(LENGTH / part.length)
}

/** A directory with enough files for a glob to be slow. */
function crowd(): string {
  const directory = temporaryDirectory()
  for (let i = 0; i < 500; i++) writeFileSync(join(directory, `file-${i}`), '')
  return directory
}

const commands = {
  'a long word': `true ${long('a')}`,
  'a deep path': `true ${long('a/')}`,
  'a path with detours': `true ${long('a/../')}`,
  'brackets that are not closed': `true ${long('[')}`,
  'sets that are not closed': `true ${long('[]a')}`,
  'question marks': `true ${long('?')}`,
  'stars between letters': `true ${long('*a')}`,
  'a star above a deep path': `true */${long('a/')}`,
  'many words': `true ${long('a ')}`,
  'many stars': `true ${long('* ')}`,
  'many different globs': `true ${Array.from({ length: LENGTH / 8 }, (_, i) => `*${i}`).join(' ')}`,
  'escapes in quotes': `true "${long('\\a')}"`,
  'a quote that is not closed': `true "${long('\\a')}`,
}

describe.each(Object.entries(commands))('%s, however long', (_, command) => {
  const ignore = ['.env', '*.pem', 'secrets/**/x*']

  it('is checked quickly with a host directory', { timeout: 30_000 }, async () => {
    const shell = new ShellAdapter(localSandbox({ path: crowd() }), { ignore })
    expect(await shell.run(command)).toBeTypeOf('string')
  })

  it.runIf(isFull)('is checked quickly without a host directory', { timeout: 30_000 }, async () => {
    expect(await new ShellAdapter(new RemoteSandbox(), { ignore }).run(command)).toBeTypeOf('string')
  })
})
