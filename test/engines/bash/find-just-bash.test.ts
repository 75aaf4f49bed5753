import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { findJustBash } from '../../../src/engines/bash/find-just-bash.ts'

/** A directory that has just-bash in this version, or has none; and a file in it to resolve from. */
function application(version?: string): string {
  const home = mkdtempSync(join(tmpdir(), 'application-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  if (version !== undefined) {
    const folder = join(home, 'node_modules/just-bash')
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name: 'just-bash', version, main: 'main.js' }),
    )
    writeFileSync(join(folder, 'main.js'), '')
  }
  return join(home, 'index.js')
}

it('finds the ES module of the first place that has the package', () => {
  const base = application('3.4.2')
  expect(findJustBash([application(), base, application('1.0.0')])).toBe(
    pathToFileURL(join(base, '../node_modules/just-bash/dist/bundle/index.js')).href,
  )
})

it.each([
  [undefined, "No bash engine: the package 'just-bash' is not installed."],
  ['3.4.3', "No bash engine: the package 'just-bash' is installed in version 3.4.3."],
])('rejects a place whose version is %s, and says what to install', (version, problem) => {
  expect(() => findJustBash([application(version)])).toThrow(
    expect.objectContaining({
      code: 'ENGINE_UNAVAILABLE',
      message: `${problem} Install it: npm install just-bash@3.4.2`,
    }),
  )
})
