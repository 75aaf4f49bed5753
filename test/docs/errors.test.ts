import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { errorGuide, lossGuide } from '../../scripts/error-guide.ts'
import { withTables } from '../../scripts/write-error-docs.ts'

const page = new URL('../../docs/errors.md', import.meta.url)

it('docs/errors.md has the tables that `npx tsx scripts/write-error-docs.ts` writes', async () => {
  const text = await readFile(page, 'utf8')
  expect(text).toBe(withTables(text))
})

it('has a row for each error class, and an error class for each row', async () => {
  const source = await readFile(new URL('../../src/sandbox/errors.ts', import.meta.url), 'utf8')
  const classes = source.matchAll(/^export class (\w+) extends (?!Error ).*?\bcode(?:: [^=]+)? = '(\w+)'$/gms)
  const declared = [...classes].map(([, name, code]) => [name, code])
  const rows = Object.entries(errorGuide).flatMap(([code, guides]) =>
    guides.map(({ errorClass }) => [errorClass, code]),
  )
  expect(declared.length).toBeGreaterThan(10)
  expect(rows.sort()).toEqual(declared.sort())
})

it('fills each cell with one line, without a full stop', () => {
  for (const guide of [...Object.values(errorGuide).flat(), ...Object.values(lossGuide)]) {
    for (const text of Object.values(guide)) expect(text).toMatch(/^[^|\n]+[^|\n.]$/)
  }
})
