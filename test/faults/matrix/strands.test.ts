import { beforeAll, describe, expect, it } from 'vitest'
import {
  describeByClock,
  describeFault,
  describeMatrix,
  describeParentDeath,
  matrixDirectory,
} from './describe-matrix.ts'
import { matrixEngines } from './engines.ts'
import { cacheFills } from './faults.ts'
import { type FullDiskResult, runOnFullDisk } from './full-disk.ts'
import { levels } from './run-group.ts'

const { strands } = matrixEngines
const directory = matrixDirectory()

describeMatrix(strands, directory)
describeByClock(strands, directory)

describe("with the disk of the engine's cache full", () => {
  let result: FullDiskResult | undefined
  /** Why there is no cache of the engine to fill its disk. */
  let noCache: string | undefined

  beforeAll(async () => {
    const came = await runOnFullDisk(directory)
    if (typeof came === 'string') noCache = came
    else result = came
  }, 150_000)

  describe.each(levels)("under isolation '%s'", (level) => {
    const index = levels.indexOf(level)

    it('no sandbox opens, and those that wait are told as well', ({ skip }) => {
      const opened = result?.opened[index] ?? skip(noCache)
      expect(opened).toEqual(['ENGINE_UNAVAILABLE', 'ENGINE_UNAVAILABLE'])
    })

    const later = cacheFills(() => undefined)
    describeFault(
      strands,
      later,
      level,
      async () => result?.groups[index],
      () => noCache,
    )
  })
})

describeParentDeath(strands, directory)
