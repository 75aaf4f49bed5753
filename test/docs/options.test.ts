import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { hostDefaults } from '../../src/host/options.ts'
import { HostedSandbox } from '../../src/hosted-sandbox/hosted-sandbox.ts'
import { strandsNames } from '../../src/strands-shell/config/schema.ts'
import { StrandsShellSandbox } from '../../src/strands-shell/strands-shell-sandbox.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** The rows of the table below a heading row: the names in the first column, and the text of the second. */
function rowsBelow(page: string, heading: string): { names: string[]; value: string }[] {
  const [, after = ''] = read(page).split(`\n${heading}\n`)
  const [table = ''] = after.split('\n\n')
  return table
    .split('\n')
    .slice(1)
    .map((row) => row.split(' | '))
    .map(([first = '', value = '']) => ({
      names: [...first.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
      value,
    }))
}

it('docs/hosting.md lists every option of a host with its default', () => {
  const rows = rowsBelow('docs/hosting.md', '| option | default | |')
  expect(rows.flatMap(({ names }) => names).sort()).toEqual([...Object.keys(hostDefaults), 'defaults'].sort())

  const ofThisMachine = ['maxCells', 'maxCellMemory', 'maxRunning']
  for (const [name, value] of Object.entries(hostDefaults)) {
    if (typeof value !== 'number' || ofThisMachine.includes(name)) continue
    const row = rows.find(({ names }) => names.includes(name))
    expect([name, row?.value.replace(/ s$/, '')]).toEqual([name, String(value)])
  }
})

it('docs/reference.md lists every field of a config', () => {
  const names = rowsBelow('docs/reference.md', '| config | default | |').flatMap((row) => row.names)
  expect(names.sort()).toEqual([...strandsNames.fields].sort())
})

it('docs/reference.md lists every member of a sandbox', () => {
  const text = rowsBelow('docs/reference.md', '| member | does |').flatMap(({ names }) => names.join(' '))
  const members = [StrandsShellSandbox, HostedSandbox]
    .flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype))
    .filter((name) => name !== 'constructor')
  expect(members.length).toBeGreaterThan(20)
  const missing = members.filter((name) => !text.some((row) => new RegExp(`\\b${name}\\b`).test(row)))

  expect(missing).toEqual([])
})
