import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Isolation } from '../../../src/index.ts'
import { promised, timesCount } from './expected.ts'
import { cacheFills, type Fault, faults } from './faults.ts'
import { type FullDiskResult, runOnFullDisk } from './full-disk.ts'
import { Leftovers } from './leftovers.ts'
import { momentNames } from './moments.ts'
import { endParent, type ParentDeath } from './parent-death.ts'
import { type GroupResult, momentsOf, runGroup } from './run-group.ts'
import { endlessFiles, stopClock } from './stopped-clock.ts'
import { type Row, readTables, tablesOf, wordsOf, writeTables } from './table.ts'

const writes = process.env['WRITE_RELIABILITY'] === '1'
/** Faults that strike at the same time. */
const atATime = timesCount ? 1 : 3
const levels: readonly Isolation[] = ['worker', 'shared', 'process']
const page = new URL('../../../docs/reliability.md', import.meta.url)

const directory = mkdtempSync(join(tmpdir(), 'fault-matrix-'))
const { TMPDIR } = process.env
/** What came of each fault, in the order of the page. */
const rows: Row[] = []
/** Why there is no cache of the engine to fill its disk. */
let noCache: string | undefined

beforeAll(() => {
  mkdirSync(join(directory, 'tmp'))
  process.env['TMPDIR'] = join(directory, 'tmp')
})

afterAll(() => {
  if (TMPDIR === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = TMPDIR
  rmSync(directory, { recursive: true, force: true })
})

type Groups = ReadonlyMap<Fault, Promise<GroupResult>>

/** Has faults strike, some at a time. */
async function runAll(struck: readonly Fault[], level: Isolation): Promise<Groups> {
  const groups = new Map<Fault, Promise<GroupResult>>()
  const waiting = [...struck]
  const next = async (): Promise<void> => {
    const fault = waiting.shift()
    if (fault === undefined) return
    const group = runGroup(fault, level, mkdtempSync(join(directory, `${level}-`)))
    groups.set(fault, group)
    await group.catch(() => undefined) // Told by its tests.
    await next()
  }
  await Promise.all(Array.from({ length: atATime }, next))
  return groups
}

/** What is promised of a fault, in each of its moments and for what it does not strike. Without a result it is skipped. */
function describeFault(fault: Fault, level: Isolation, result: () => Promise<GroupResult | undefined>): void {
  const { name, takes, told, excluded } = fault
  const codes = fault.error?.split(' ').map((code) => `\`${code}\``)
  const error = codes?.join(', cause ') ?? '—'
  describe(name, () => {
    it.for(momentsOf(fault))(
      'during %s settles it, is told once, and is survived',
      async (moment, { skip }) => {
        const { moments } = (await result()) ?? skip(noCache)
        expect(moments[moment]).toEqual(promised(fault, moment))
      },
    )

    it('spares neighbours and further sandboxes, and leaves nothing in its hosts', async ({ skip }) => {
      const group = (await result()) ?? skip(noCache)
      const words = wordsOf(group, fault.error)
      rows.push({ fault: name, level, error, told: told.when, takes, excluded, words })
      const { neighbour, further, left } = group
      expect({ neighbour, further, left }).toEqual({ neighbour: 'kept', further: 'done', left: 'nothing' })
    })
  })
}

describe.each(levels)("under isolation '%s'", (level) => {
  const struck = faults.filter((fault) => fault.levels.includes(level))
  let groups: Groups
  let left: unknown

  beforeAll(async () => {
    // What Node and the engine start at first use is there before the count.
    await runAll(struck.slice(0, 1), level)
    const leftovers = new Leftovers()
    groups = await runAll(struck, level)
    left = await leftovers.more()
  }, 400_000)

  for (const fault of struck) describeFault(fault, level, async () => groups.get(fault))

  it('no fault leaves a worker, process, port, timer, listener, file or file descriptor', () => {
    expect(left).toEqual({ more: {}, unheard: [] })
  })
})

describe.each(levels)("by the host's clock, under isolation '%s'", (level) => {
  let group: GroupResult

  beforeAll(async () => {
    stopClock()
    group = await runGroup(endlessFiles, level, mkdtempSync(join(directory, 'clock-')))
  }, 200_000)
  afterAll(() => {
    vi.useRealTimers()
  })

  describeFault(endlessFiles, level, async () => group)
})

describe("with the disk of the engine's cache full", () => {
  let result: FullDiskResult | undefined

  beforeAll(async () => {
    const came = await runOnFullDisk(directory)
    if (typeof came === 'string') noCache = came
    else result = came
  }, 150_000)

  describe.each(levels)("under isolation '%s'", (level) => {
    const index = levels.indexOf(level)

    it('no sandbox opens, and those that wait are told as well', ({ skip }) => {
      const [open, queued] = result?.opened[index] ?? skip(noCache)
      const fault = "disk of the engine's cache full"
      const words = { open: `\`${open}\``, 'queued open': `\`${queued}\`` }
      const excluded = 'what is open has the engine already'
      rows.push({ fault, level, error: '—', told: 'at once', takes: 'nothing', excluded, words })
      expect([open, queued]).toEqual(['ENGINE_UNAVAILABLE', 'ENGINE_UNAVAILABLE'])
    })

    const later = cacheFills(() => undefined)
    describeFault(later, level, async () => result?.groups[index])
  })
})

describe.each(['SIGTERM', 'SIGKILL'] as const)('the process of the host ends by %s', (signal) => {
  let death: ParentDeath

  beforeAll(async () => {
    death = await endParent(signal, directory)
  }, 150_000)

  describe.each(levels)("under isolation '%s'", (level) => {
    const struck = () => momentNames.filter((name) => death.states.includes(`${level} ${name}`))

    it.each(momentNames)('during %s, which ends with it', (moment) => {
      expect(struck()).toContain(moment)
      expect(death).toMatchObject({ signal, stderr: '' })
    })

    it('and leaves no cell and no file', () => {
      const words = Object.fromEntries(struck().map((name) => [name, 'ends']))
      const fault = `the service's process gets ${signal}`
      rows.push({ fault, level, error: '—', told: 'its cells are gone at once', takes: 'all', words })
      expect(death).toMatchObject({ cells: levels.length, files: [] })
      expect(death.milliseconds).toBeLessThan(timesCount ? 500 : 60_000)
    })
  })
})

it('docs/reliability.md has the tables of these results', ({ skip }) => {
  const ofFaults = faults.reduce((count, { levels }) => count + levels.length, 0)
  const others = (noCache === undefined ? 5 : 3) * levels.length
  if (rows.length < ofFaults + others) skip('Not all of them were run.')
  const place = ({ fault }: Row) => {
    const index = faults.findIndex(({ name }) => name === fault)
    return index < 0 ? faults.length : index
  }
  const tables = tablesOf(rows.toSorted((a, b) => place(a) - place(b)))
  if (writes) writeTables(page, tables)
  const withoutCache = (text: string) => text.replaceAll(/^\| disk of the .*\n/gm, '')
  const shown = noCache === undefined ? (text: string) => text : withoutCache
  expect(shown(readTables(page))).toBe(shown(tables))
})
