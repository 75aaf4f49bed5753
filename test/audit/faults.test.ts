import fc from 'fast-check'
import { expect, it } from 'vitest'
import { AuditFile } from '../../src/audit/audit-file.ts'
import { AuditLog } from '../../src/audit/audit-log.ts'
import { type FileSystem, nodeFileSystem } from '../../src/audit/file-system.ts'
import { resolveAuditOptions } from '../../src/audit/options.ts'
import { cases } from '../support/tier.ts'
import { linesIn, logPath, recordAll, textOf, toldIn } from './support.ts'

/** What one operation of the file system does: as many bytes as asked for, only so many, or a failure. */
type Fault = 'well' | 'full' | { readonly only: number }

/** A file system whose writes and renames have these faults, one after another; then none. */
function faulty(faults: Fault[], renames: boolean[] = []): FileSystem {
  const fail = (code: string) => Object.assign(new Error(`${code}: as the test says`), { code })
  return {
    ...nodeFileSystem,
    write: async (fd, bytes) => {
      const fault = faults.shift() ?? 'well'
      if (fault === 'full') throw fail('ENOSPC')
      return nodeFileSystem.write(fd, fault === 'well' ? bytes : bytes.subarray(0, fault.only))
    },
    rename: async (from, to) => {
      if (renames.shift() === true) throw fail('EACCES')
      return nodeFileSystem.rename(from, to)
    },
  }
}

async function openLog(fs: FileSystem, options: { maxBytes?: number; maxQueue?: number } = {}) {
  const file = await logPath()
  const resolved = resolveAuditOptions({ file, keep: 1000, ...options })
  if (!('file' in resolved.target)) throw new Error('no file')
  return { file, log: new AuditLog(resolved, new AuditFile(resolved.target, fs)) }
}

it('writes the rest where a write was short', async () => {
  const { file, log } = await openLog(faulty([{ only: 10 }, { only: 1 }]))
  recordAll(log, 'one', 'two')
  await log.close()
  expect(toldIn(await textOf(file))).toEqual(['one', 'two'])
})

it('leaves whole lines where the disk is full, and writes the others when it has room', async () => {
  const { file, log } = await openLog(faulty([{ only: 500 }, 'full', { only: 5 }, 'full']))
  recordAll(log, 'one', 'two', 'three')
  await log.flush()
  expect(toldIn(await textOf(file))).toEqual(['one'])
  expect(log.stats()).toEqual({ written: 1, dropped: 0, waiting: 2, problem: 'ENOSPC' })
  await log.flush()
  expect(toldIn(await textOf(file))).toEqual(['one'])
  await log.flush()
  expect(toldIn(await textOf(file))).toEqual(['one', 'two', 'three'])
  expect(log.stats()).toEqual({ written: 3, dropped: 0, waiting: 0, problem: undefined })
  await log.close()
})

it('tries again by itself, and tells how many lines a full queue has dropped meanwhile', async () => {
  const faults: Fault[] = ['full']
  const { file, log } = await openLog(faulty(faults), { maxQueue: 1100 })
  const texts = Array.from({ length: 20 }, (_, index) => `echo ${index}`)
  recordAll(log, ...texts)
  await expect
    .poll(() => textOf(file).then(toldIn), { timeout: 60_000 })
    .toEqual(['echo 0', 'echo 1', 'echo 2', 17])
  recordAll(log, 'last')
  await log.close()
  expect(toldIn(await textOf(file))).toEqual(['echo 0', 'echo 1', 'echo 2', 17, 'last'])
  expect(log.stats()).toMatchObject({ written: 4, dropped: 17 })
})

it('goes on in a file that cannot be rotated, and rotates it when it can', async () => {
  const { file, log } = await openLog(faulty([], [true]), {
    maxBytes: 1024,
  })
  recordAll(log, 'a'.repeat(900), 'b'.repeat(900))
  await log.flush()
  expect(log.stats().problem).toBe('EACCES')
  expect(toldIn(await textOf(file))).toHaveLength(2)
  recordAll(log, 'c')
  await log.close()
  expect(toldIn(await textOf(`${file}`))).toEqual(['a'.repeat(900), 'b'.repeat(900), 'c'])
})

it('has every line once, in order and whole, whatever the writes do', async () => {
  const fault = fc.oneof<fc.Arbitrary<Fault>[]>(
    fc.constant('well'),
    fc.constant('full'),
    fc.record({ only: fc.integer({ min: 1, max: 3000 }) }),
  )
  const step = fc.oneof(
    fc.array(fc.string({ maxLength: 800 }), { maxLength: 5 }),
    fc.constant('flush' as const),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fault, { maxLength: 20 }), fc.array(step), async (faults, steps) => {
      const { file, log } = await openLog(faulty(faults), { maxBytes: 2048 })
      const texts: string[] = []
      for (const one of steps) {
        if (one === 'flush') {
          await log.flush()
          linesIn(await textOf(file))
        } else {
          texts.push(...one)
          recordAll(log, ...one)
        }
      }
      while (faults.length > 0 && log.stats().waiting > 0) await log.flush()
      await log.close()
      expect(toldIn(await textOf(file))).toEqual(texts)
    }),
    { numRuns: cases(100) },
  )
})
