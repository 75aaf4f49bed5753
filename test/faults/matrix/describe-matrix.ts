import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Isolation } from '../../../src/index.ts'
import { isFull } from '../../support/tier.ts'
import type { MatrixEngine } from './engines.ts'
import { promisedInTime, timesCount } from './expected.ts'
import { type Fault, isCommon } from './faults.ts'
import { Leftovers } from './leftovers.ts'
import { momentNames, withOwnHost } from './moments.ts'
import { endParent, type ParentDeath } from './parent-death.ts'
import { fatalSignals } from './rows.ts'
import { type GroupResult, levels, runGroup, struckMoments } from './run-group.ts'
import { endlessFiles, stopClock } from './stopped-clock.ts'

/** Faults that strike at the same time. */
const atATime = timesCount ? 1 : 3

type Groups = ReadonlyMap<Fault, Promise<GroupResult>>

/** A directory for the files of a test file's runs, with the temporary files of this process. The end removes it. */
export function matrixDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'fault-matrix-'))
  const { TMPDIR } = process.env
  beforeAll(() => {
    mkdirSync(join(directory, 'tmp'))
    process.env['TMPDIR'] = join(directory, 'tmp')
  })
  afterAll(() => {
    if (TMPDIR === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = TMPDIR
    rmSync(directory, { recursive: true, force: true })
  })
  return directory
}

/** What is promised of a fault, in each of its moments and for what it does not strike. Without a result it is skipped. */
export function describeFault(
  engine: MatrixEngine,
  fault: Fault,
  level: Isolation,
  result: () => Promise<GroupResult | undefined>,
  why?: () => string | undefined,
): void {
  describe(fault.name, () => {
    it.for(struckMoments(engine, fault, level))(
      'during %s settles it, is told once, and is survived',
      async (moment, { skip }) => {
        const { moments } = (await result()) ?? skip(why?.())
        expect(moments[moment]).toEqual(promisedInTime(engine, fault, moment))
      },
    )

    it('spares neighbours and further sandboxes, and leaves nothing in its hosts', async ({ skip }) => {
      const { neighbour, further, left } = (await result()) ?? skip(why?.())
      expect({ neighbour, further, left }).toEqual({ neighbour: 'kept', further: 'done', left: 'nothing' })
    })
  })
}

/** Has every fault of an engine strike, at every isolation level. */
export function describeMatrix(engine: MatrixEngine, directory: string): void {
  describe.each(levels)("under isolation '%s'", (level) => {
    const struck = engine.faults.filter((fault, index) => strikes(engine, fault, level, index))
    let groups: Groups
    let left: unknown

    beforeAll(async () => {
      // What Node and the engine start at first use is there before the count.
      for (const fault of engine.faults.slice(0, 1)) {
        await runAll(engine, [{ ...fault, only: ['execute'] }], level, directory)
      }
      const leftovers = new Leftovers()
      groups = await runAll(engine, struck, level, directory)
      left = await leftovers.more()
    }, 400_000)

    for (const fault of struck) describeFault(engine, fault, level, async () => groups.get(fault))

    it('no fault leaves a worker, process, port, timer, listener, file or file descriptor', () => {
      expect(left).toEqual({ more: {}, unheard: [] })
    })
  })
}

/** The fault that passes by the host's clock. */
export function describeByClock(engine: MatrixEngine, directory: string): void {
  const fault = endlessFiles(engine)
  describe.each(levels.filter((_, index) => isFull || index === 1 + engine.turn))(
    "by the host's clock, under isolation '%s'",
    (level) => {
      let group: GroupResult

      beforeAll(async () => {
        stopClock()
        group = await runGroup(engine, fault, level, mkdtempSync(join(directory, 'clock-')))
      }, 200_000)
      afterAll(() => {
        vi.useRealTimers()
      })

      describeFault(engine, fault, level, async () => group)
    },
  )
}

/** The end of the service's process. */
export function describeParentDeath(engine: MatrixEngine, directory: string): void {
  const signals = fatalSignals.filter((_, index) => isFull || index === engine.turn)
  // In the default tier engines share the levels: one has its threads shared, the other has cells.
  const had = levels.filter((level) => isFull || (level === 'shared') === (engine.turn === 0))
  describe.each(signals)('the process of the host ends by %s', (signal) => {
    let death: ParentDeath

    beforeAll(async () => {
      death = await endParent(engine.name, signal, had, directory)
    }, 150_000)

    describe.each(had)("under isolation '%s'", (level) => {
      it.each(momentNames)('during %s, which ends with it', (moment) => {
        expect(death.states).toContain(`${level} ${moment}`)
        expect(death).toMatchObject({ signal, stderr: '' })
      })
    })

    it('and leaves no cell and no file', () => {
      expect(death).toMatchObject({ cells: had.includes('process') ? 1 + withOwnHost.size : 0, files: [] })
      expect(death.milliseconds).toBeLessThan(timesCount ? 500 : 60_000)
    })
  })
}

/** Has faults strike, some at a time. */
async function runAll(
  engine: MatrixEngine,
  struck: readonly Fault[],
  level: Isolation,
  directory: string,
): Promise<Groups> {
  const groups = new Map<Fault, Promise<GroupResult>>()
  const waiting = [...struck]
  const next = async (): Promise<void> => {
    const fault = waiting.shift()
    if (fault === undefined) return
    const group = runGroup(engine, fault, level, mkdtempSync(join(directory, `${level}-`)))
    groups.set(fault, group)
    await group.catch(() => undefined) // Told by its tests.
    await next()
  }
  await Promise.all(Array.from({ length: atATime }, next))
  return groups
}

/**
 * Whether a fault strikes at a level in this tier. In the default tier one level stands for all: faults take turns at the
 * levels, and engines at the faults that both have.
 */
function strikes({ turn }: MatrixEngine, fault: Fault, level: Isolation, index: number): boolean {
  const { levels } = fault
  if (isFull) return levels.includes(level)
  if (isCommon(fault)) return index % 2 === turn && levels[index % levels.length] === level
  return levels[(index + turn) % levels.length] === level
}
