import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { cases } from '../support/tier.ts'
import { fileSystems } from '../worker/host-files/scratch.ts'
import { calls } from './acts.ts'
import { openDirect } from './direct-session.ts'
import { runCalls, startOver } from './run-calls.ts'

/** Sequences of calls a property runs; set `MIRROR_RUNS` for many more, `MIRROR_SEED` for one that failed. */
const runs = Number(process.env['MIRROR_RUNS'] ?? cases(60))
const seed = process.env['MIRROR_SEED']

function parameters(numRuns: number): fc.Parameters<unknown> {
  return { numRuns, endOnFailure: false, ...(seed === undefined ? {} : { seed: Number(seed) }) }
}

async function check(parent: string, meanwhile: boolean, numRuns: number): Promise<void> {
  const root = mkdtempSync(`${parent}/mirror-model-`)
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  let session = await openDirect(root)
  await fc.assert(
    fc.asyncProperty(calls(meanwhile), async (sequence) => {
      try {
        await startOver(session, root)
        await runCalls(session, root, sequence)
      } catch (error) {
        // What a failure leaves behind must not fail the next sequence.
        rmSync(root, { recursive: true, force: true })
        mkdirSync(root)
        session = await openDirect(root)
        throw error
      }
    }),
    parameters(numRuns),
  )
}

describe.each(fileSystems)('a mirror on $fs', ({ parent }) => {
  it('equals the model after every call', { timeout: 60_000 + runs * 200 }, () => check(parent, false, runs))

  it('loses no change when both sides change during a call', { timeout: 60_000 + runs * 200 }, () =>
    check(parent, true, runs),
  )
})

describe('a mirror on a busy machine', () => {
  it('loses no change', { timeout: 120_000 + runs * 400 }, async () => {
    const busy: ChildProcess[] = []
    try {
      for (let core = 0; core < 2; core++) busy.push(spawn(process.execPath, ['-e', 'for(;;){}']))
      await check(fileSystems[0]?.parent ?? '/tmp', true, Math.ceil(runs / 3))
    } finally {
      for (const child of busy) child.kill('SIGKILL')
    }
    expect(busy.every(({ killed }) => killed)).toBe(true)
  })
})
