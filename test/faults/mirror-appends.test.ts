import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
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

it('keeps every line that two sandboxes append to one file at the same time', async () => {
  const { root, sandbox } = mirrored()
  const other = new StrandsShellSandbox({ binds: [{ source: root, destination: '/work' }] })
  onTestFinished(() => other.close())
  const lines = Array.from({ length: 40 }, (_, index) => index)
  await Promise.all(
    [sandbox, other].map(async (one, number) => {
      for (const line of lines) await one.execute(`echo ${number}-${line} >> /work/log`)
    }),
  )
  const found = readdirSync(root).flatMap((name) => readFileSync(`${root}/${name}`, 'utf8').split('\n'))
  expect([...new Set(found)].sort()).toEqual(
    ['', ...[0, 1].flatMap((number) => lines.map((line) => `${number}-${line}`))].sort(),
  )
})
