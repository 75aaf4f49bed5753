import { describe, expect, it } from 'vitest'
import { resolveHostOptions } from '../../../src/host/resolve-options.ts'
import { SandboxConfigError } from '../../../src/sandbox/errors.ts'

/** What options are refused with: field and message. */
function refusalOf(options: object): readonly [field: string, message: string] {
  try {
    resolveHostOptions(options)
  } catch (error) {
    if (error instanceof SandboxConfigError) return [error.field, error.message]
    throw error
  }
  throw new Error('they were not refused')
}

it.each([
  [5, 'quotas', 'quotas must be a plain object, but is a number.'],
  [{}, 'quotas.label', "quotas.label must be the name of a label, such as 'tenant', but is undefined."],
  [
    { label: 'a b' },
    'quotas.label',
    `quotas.label must be the name of a label, such as 'tenant', but is "a b" (a string).`,
  ],
  [
    { label: 'tenant', maxSandboxes: 0 },
    'quotas.maxSandboxes',
    'quotas.maxSandboxes must be a whole number from 1 to 1000000, but is 0 (a number).',
  ],
  [
    { label: 'tenant', maxQueued: 1 },
    'quotas.maxQueued',
    'quotas.maxQueued is no option. Known here: label, maxSandboxes, maxRunning, opensPerMinute, tenants.',
  ],
  [
    { label: 'tenant', tenants: [] },
    'quotas.tenants',
    'quotas.tenants must be a plain object of quotas by tenant, but is an array.',
  ],
  [
    { label: 'tenant', tenants: { 'a b': { opensPerMinute: 0.5 } } },
    'quotas.tenants["a b"].opensPerMinute',
    'quotas.tenants["a b"].opensPerMinute must be a whole number from 1 to 1000000, but is 0.5 (a number).',
  ],
  [
    { label: 'tenant', tenants: { a: { label: 'b' } } },
    'quotas.tenants.a.label',
    'quotas.tenants.a.label is no option. Known here: maxSandboxes, maxRunning, opensPerMinute.',
  ],
])('quotas that are not valid are refused with the field: %j', (quotas, field, message) => {
  expect(refusalOf({ quotas })).toEqual([field, message])
})

it.each([
  ['tenant', 'cellsFor', `cellsFor must be 'policy' or { label }, but is "tenant" (a string).`],
  [
    { label: '' },
    'cellsFor.label',
    `cellsFor.label must be the name of a label, such as 'tenant', but is "" (a string).`,
  ],
])('cellsFor that is not valid is refused with the field: %j', (cellsFor, field, message) => {
  expect(refusalOf({ cellsFor })).toEqual([field, message])
})

describe('cells by label', () => {
  const cellsFor = { label: 'tenant' }

  it('are refused outside of cells', () => {
    expect(refusalOf({ cellsFor, isolation: 'shared' })).toEqual([
      'cellsFor',
      "cellsFor: expected 'policy' with isolation 'shared', got { label }: only sandboxes in cells can have cells of their own. Use isolation 'process'.",
    ])
  })

  it('are refused where there is one cell, or one tenant could take all of them', () => {
    expect(refusalOf({ cellsFor, maxCells: 1 })).toEqual([
      'maxCells',
      'maxCells: expected at least 2 where cellsFor is { label }, got 1 (a number): sandboxes with another tenant would wait until the one cell is empty. Raise maxCells, or leave it out.',
    ])
    const options = { cellsFor, maxCells: 3, sandboxesPerCell: 4 }
    const quotas = { label: 'tenant', maxSandboxes: 8, tenants: { a: { maxSandboxes: 9 } } }
    expect(refusalOf({ ...options, quotas })).toEqual([
      'quotas.maxSandboxes',
      'quotas.maxSandboxes: expected at most 8 for a tenant, which maxCells (3) without one hold, got 9 (a number): one tenant could take all cells, which by cellsFor it shares with no other. Lower the quota, or raise maxCells or sandboxesPerCell.',
    ])
    expect(resolveHostOptions({ ...options, quotas: { ...quotas, tenants: {} } })).toMatchObject({ cellsFor })
    expect(resolveHostOptions({ ...options, quotas: { ...quotas, label: 'team' } })).toMatchObject({
      cellsFor,
    })
  })
})
