import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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

it('finds the ES module of the first place that has the package', async () => {
  const base = application('3.4.2')
  const bases = [application(), base, application('1.0.0')]
  expect(await findJustBash({ bases })).toBe(
    pathToFileURL(join(base, '../node_modules/just-bash/dist/bundle/index.js')).href,
  )
})

it.each([
  [undefined, "No bash engine: the package 'just-bash' is not installed."],
  ['3.4.3', "No bash engine: the package 'just-bash' is installed in version 3.4.3."],
])('rejects a place whose version is %s, and says what to install', async (version, problem) => {
  await expect(findJustBash({ bases: [application(version)] })).rejects.toThrow(
    expect.objectContaining({
      code: 'ENGINE_UNAVAILABLE',
      message: `${problem} Install it: npm install just-bash@3.4.2`,
    }),
  )
})

it('rejects a package that another user can exchange, where nobody chose its place', async () => {
  const base = application('3.4.2')
  const modules = join(base, '../node_modules')
  chmodSync(modules, 0o777)
  await expect(findJustBash({ bases: [base], unchosen: [base] })).rejects.toThrow(
    expect.objectContaining({
      code: 'ENGINE_UNAVAILABLE',
      message:
        "No bash engine: the package 'just-bash' cannot be trusted: it was found from the working directory only, " +
        `and its path leads through ${modules}, which other users can write (mode 777). Install it: npm install just-bash@3.4.2`,
    }),
  )
  await expect(findJustBash({ bases: [base] })).resolves.toContain('just-bash')
})
