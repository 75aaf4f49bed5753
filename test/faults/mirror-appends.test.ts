import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { StrandsShellSandbox } from '../../src/index.ts'
import { byTier } from '../support/tier.ts'

function mirrored(): { root: string; sandbox: StrandsShellSandbox } {
  const root = mkdtempSync(join(tmpdir(), 'mirror-appends-'))
  const sandbox = new StrandsShellSandbox({ binds: [{ source: root, destination: '/work' }] })
  onTestFinished(async () => {
    await sandbox.close()
    rmSync(root, { recursive: true, force: true })
  })
  return { root, sandbox }
}

/** Of lines: each is written to the disk. */
const count = byTier({ default: 200, full: 1000 })
const numbers = Array.from({ length: count }, (_, index) => `line ${index}`)
const all = `${numbers.join('\n')}\n`

it.each(['; ', '\n'])(`writes all of ${count} appends in one command, separated by %j`, async (separator) => {
  const { root, sandbox } = mirrored()
  await sandbox.execute(numbers.map((line) => `echo '${line}' >> /work/log`).join(separator))
  expect(readFileSync(`${root}/log`, 'utf8')).toBe(all)
})

it(`writes the append of each of ${count} calls before the call resolves`, async () => {
  const { root, sandbox } = mirrored()
  let expected = ''
  for (const line of numbers) {
    await sandbox.execute(`echo '${line}' >> /work/log`)
    expected += `${line}\n`
    expect(readFileSync(`${root}/log`, 'utf8')).toBe(expected)
  }
  expect(expected).toBe(all)
})

it(`writes the appends of ${count} calls made at once`, async () => {
  const { root, sandbox } = mirrored()
  await Promise.all(numbers.map((line) => sandbox.execute(`echo '${line}' >> /work/log`)))
  expect(readFileSync(`${root}/log`, 'utf8')).toBe(all)
})
