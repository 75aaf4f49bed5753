import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { errorGuide, lossGuide } from '../../scripts/error-guide.ts'
import { withTables } from '../../scripts/write-error-docs.ts'

const page = new URL('../../docs/errors.md', import.meta.url)

it('docs/errors.md has the tables that `npx tsx scripts/write-error-docs.ts` writes', async () => {
  const text = await readFile(page, 'utf8')
  expect(text).toBe(withTables(text))
})

it('every error class has its row, and every row a class of its code', async () => {
  const source = await readFile(new URL('../../src/sandbox/errors.ts', import.meta.url), 'utf8')
  const classes = source.matchAll(
    /^export class (\w+) extends (?!Error ).*?\bcode(?:: ErrorCode)? = '(\w+)'$/gms,
  )
  const declared = [...classes].map(([, name, code]) => [name, code])
  const rows = Object.entries(errorGuide).flatMap(([code, guides]) =>
    guides.map(({ errorClass }) => [errorClass, code]),
  )
  expect(declared.length).toBeGreaterThan(10)
  expect(rows.sort()).toEqual(declared.sort())
})

it('every row says all it should, on one line', () => {
  for (const guide of [...Object.values(errorGuide).flat(), ...Object.values(lossGuide)]) {
    for (const text of Object.values(guide)) expect(text).toMatch(/^[^|\n]+[^|\n.]$/)
  }
})
