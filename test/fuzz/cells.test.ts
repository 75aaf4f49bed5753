import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect } from 'vitest'
import { encode } from '../../src/channel/encode.ts'
import { ProtocolBreach } from '../../src/channel/errors.ts'
import { OutgoingMessage } from '../../src/channel/outgoing.ts'
import { CELL_CHANNEL_FD, CELL_THREADS_FD } from '../../src/contract/cell.ts'
import type { ShellHost, StrandsShellSandbox } from '../../src/index.ts'
import { within } from '../faults/helpers.ts'
import { cellPids } from '../places/cells/cell-pids.ts'
import { cellEntry, cellHost, ofCell } from '../places/cells/helpers.ts'
import { outcomeOf } from './support/documented.ts'
import { message, news } from './support/forged.ts'
import { fuzz } from './support/fuzz.ts'

const directory = mkdtempSync(join(tmpdir(), 'fuzz-cells-'))
afterAll(() => rmSync(directory, { recursive: true }))
const forged = join(directory, 'forged')

/** A host, a sandbox whose cell writes what it is told to, and one in a cell that does not. */
interface House {
  readonly host: ShellHost
  readonly hostile: StrandsShellSandbox
  readonly other: StrandsShellSandbox
  /** The pid of the cell that does not. */
  readonly well: number
}

let house: House | undefined
const ends = { well: 0, lost: 0 }

async function open(): Promise<House> {
  const cellUrl = cellEntry(`
    import { readFileSync, writeSync } from 'node:fs'
    process.on('SIGUSR2', () => {
      // Behind the channel's back.
      const [pipe, ...bytes] = readFileSync(${JSON.stringify(forged)})
      writeSync(pipe, Buffer.from(bytes))
    })`)
  const host = cellHost({ cellUrl, maxCells: 3, sandboxesPerCell: 1, cellBackoff: 0.05 })
  const other = await host.open(ofCell('other'))
  const [well = 0] = cellPids()
  await other.execute('state=kept')
  return { host, other, well, hostile: await host.open({ ...ofCell('hostile'), timeout: 1 }) }
}

function framesOf(value: unknown, lane: number): Buffer {
  try {
    const chunks: Buffer[] = []
    const outgoing = new OutgoingMessage(encode(value))
    while (!outgoing.takeFrame(lane, chunks));
    return Buffer.concat(chunks)
  } catch (error) {
    expect(error).toBeInstanceOf(ProtocolBreach) // It cannot be sent.
    return Buffer.alloc(0)
  }
}

const frames = fc.oneof(
  { weight: 4, arbitrary: news.map((value) => framesOf(value, 0)) },
  { weight: 4, arbitrary: fc.tuple(message, fc.nat(3)).map(([value, lane]) => framesOf(value, lane)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)) },
)

fuzz({
  target: 'cells',
  title: 'a hostile cell loses its own sandbox, once, and harms neither the host nor other cells',
  cases: 4,
  input: fc.tuple(
    fc.constantFrom(CELL_CHANNEL_FD, CELL_THREADS_FD),
    fc.array(frames, { minLength: 1, maxLength: 5 }),
  ),
  holds: async ([pipe, pieces]) => {
    house ??= await open()
    const { hostile, other, well, host } = house
    // What the last case had written may have been read only after its end.
    if ('error' in (await outcomeOf(() => hostile.execute(':')))) await hostile.execute(':')
    const { generation } = hostile
    writeFileSync(forged, Buffer.from([pipe, ...Buffer.concat(pieces)]))
    const pids = () => cellPids().filter((pid) => pid !== well)
    expect(pids().length).toBeGreaterThan(0)
    for (const pid of pids()) process.kill(pid, 'SIGUSR2')
    const end = await within(
      60,
      outcomeOf(() => hostile.execute('sleep 0.01; echo here')),
    )
    ends['value' in end ? 'well' : 'lost'] += 1
    const told =
      'error' in end
        ? await within(
            60,
            outcomeOf(() => hostile.execute('echo next')),
          )
        : undefined
    // A call that ended well may have been the last one of its session.
    if (told === undefined || 'error' in told)
      await within(
        60,
        outcomeOf(() => hostile.execute('echo next')),
      )
    expect(await within(60, hostile.execute('echo back'))).toMatchObject({ stdout: 'back\n' })
    expect(hostile.generation - generation).toBeLessThanOrEqual(2)
    expect(await within(60, other.execute('echo $state'))).toMatchObject({ stdout: 'kept\n' })
    expect([other.generation, host.stats().leased]).toEqual([1, 2])
  },
  ends: () => [ends.well, ends.lost],
})
