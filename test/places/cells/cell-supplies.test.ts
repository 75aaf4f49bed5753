import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { CellNetwork } from '../../../src/places/cells/cell-network.ts'
import { CellSupplies } from '../../../src/places/cells/cell-supplies.ts'
import { CellHardener } from '../../../src/places/cells/jail/hardening.ts'
import { EngineUnavailableError } from '../../../src/sandbox/errors.ts'

const url = pathToFileURL(import.meta.filename)

/** Supplies whose engine has another path each time that it is found, and what was asked of its finder. */
function supplies(fails = () => false) {
  const asked: string[] = []
  const found = new CellSupplies({
    engine: {
      find: async () => {
        asked.push('find')
        if (fails()) throw new EngineUnavailableError('no engine')
        return { engine: 'strands', kind: 'addon', path: `engine ${asked.length}` }
      },
      forget: () => asked.push('forget'),
    },
    cellUrl: url,
    workerUrl: url,
    network: new CellNetwork('public', {}),
    hardening: new CellHardener('none'),
  })
  return { asked, found }
}

it('searches once while cells live', async () => {
  const { asked, found } = supplies()
  expect(found.found).toBe(undefined)
  await found.find({ cellsLive: false })
  for (let opened = 0; opened < 3; opened++) await found.find({ cellsLive: true })
  expect([asked, found.found]).toEqual([
    ['find'],
    {
      engine: { engine: 'strands', kind: 'addon', path: 'engine 1' },
      entry: url,
      workerEntry: url,
      jail: undefined,
    },
  ])
})

it('searches again when no cell lives', async () => {
  const { found } = supplies()
  await found.find({ cellsLive: false })
  await found.find({ cellsLive: false })
  expect(found.found?.engine.path).toBe('engine 2')
})

it('searches again after a cell could not use the engine', async () => {
  const { asked, found } = supplies()
  await found.find({ cellsLive: false })
  found.discard()
  await found.find({ cellsLive: true })
  await found.find({ cellsLive: true })
  expect(asked).toEqual(['find', 'forget', 'find'])
})

it('rejects where there is no engine, and searches again', async () => {
  let missing = true
  const { found } = supplies(() => missing)
  await expect(found.find({ cellsLive: false })).rejects.toThrow(EngineUnavailableError)
  await found.settled()
  missing = false
  await found.find({ cellsLive: true })
  expect(found.found?.engine.path).toBe('engine 2')
})
