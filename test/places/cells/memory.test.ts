import { describe, expect, it } from 'vitest'
import { isFull } from '../../support/tier.ts'
import { startScript } from './helpers.ts'

/** What a script tells of a sandbox that takes all memory it can get, and of one in another cell. */
async function hog(what: string, maxMemory: number): Promise<unknown> {
  const { code, signal, stdout, stderr } = await startScript('memory', [what, String(maxMemory)]).end
  expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' })
  return JSON.parse(stdout)
}

/** What it tells where nobody but the sandbox itself has noticed anything. */
function contained(end: unknown): unknown {
  return {
    end,
    again: { exitCode: 0, said: '' },
    grownMebibytes: expect.toSatisfy((grown: number) => grown <= 100),
    replies: expect.toSatisfy((replies: number) => replies > 0),
    generation: 1,
  }
}

/** A cell is killed for its memory, and the loss says how much it held. */
function tooLarge(maxMemory: number): unknown {
  const figures = new RegExp(
    `^The cell was killed: it held (\\d+) MiB \\(maxCellMemory: ${maxMemory} MiB\\)\\.$`,
  )
  const why = expect.toSatisfy((text: string) => Number(figures.exec(text)?.[1]) >= maxMemory)
  return { name: 'MemoryLimitError', code: 'MEMORY_LIMIT', cause: 'CELL_MEMORY', why }
}

describe('a cell over maxCellMemory is killed, and nobody else notices:', () => {
  const ways = ['a variable that doubles']
  const others = [
    'files that commands write',
    'standard error',
    'a line without an end',
    'a field without bounds',
    'the output of a program',
    'files that its user writes',
  ]
  it.each(isFull ? [...ways, ...others] : ways)('%s', async (what) => {
    expect(await hog(what, 256)).toEqual(contained(tooLarge(256)))
  })
})

it.runIf(isFull)('172 MB of standard error are cut in the cell: its host never has them', async () => {
  const said = expect.stringContaining('stderr truncated: kept 1048576 of 172042500 bytes (limits.maxOutput)')
  expect(await hog('172 MB of standard error', 2048)).toEqual(contained({ exitCode: 0, said }))
})

it.runIf(isFull)('a gigabyte of files that a cell may hold is in the cell alone', async () => {
  expect(await hog('files that its user writes', 2048)).toEqual(contained(undefined))
})
