import { expect, it } from 'vitest'
import { matrixEngines } from './engines.ts'
import { rowsOf } from './rows.ts'
import { systemTable } from './system-faults.ts'
import { readTables, tablesOf, writeTables } from './table.ts'

const writes = process.env['WRITE_RELIABILITY'] === '1'
const page = new URL('../../../docs/reliability.md', import.meta.url)

it.each(Object.values(matrixEngines))(
  'docs/reliability.md has the tables of what is promised of $title',
  (engine) => {
    const tables = tablesOf(rowsOf(engine))
    if (writes) writeTables(page, engine.name, tables)
    expect(readTables(page, engine.name)).toBe(tables)
  },
)

it('docs/reliability.md has the table of what a system that refuses something does', () => {
  if (writes) writeTables(page, 'system', systemTable())
  expect(readTables(page, 'system')).toBe(systemTable())
})
