import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect } from 'vitest'
import { BIND_KEY, type CheckpointFacts } from '../../src/contract/checkpoint.ts'
import { KeptCheckpoint } from '../../src/session/kept-checkpoint.ts'
import { openDirect } from '../mirror-model/direct-session.ts'
import { bindChanges, changedFacts } from './support/forged-facts.ts'
import { fuzz } from './support/fuzz.ts'

const root = mkdtempSync(join(tmpdir(), 'fuzzed-mirrors-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A session with a mirror of a fresh directory. */
async function opened(name: string, mode: 'copy' | 'direct') {
  const directory = join(root, name, mode)
  mkdirSync(join(directory, 'd'), { recursive: true })
  for (const path of ['a', 'gone', 'd/x']) writeFileSync(join(directory, path), 'of the host\n')
  return openDirect(directory, { mode, exclude: ['*.o'] })
}

/** All facts of a mirror that a session has changed, and the bytes that they name. */
async function realBinds(mode: 'copy' | 'direct'): Promise<CheckpointFacts> {
  const { service, run, checkpoint } = await opened('real', mode)
  await run(
    'cd /work; cat d/x; echo 1 > a; rm gone; mkdir e; ln -s a l; echo 2 > e/f; chmod 600 d/x; echo 3 > own.o',
  )
  await service.changes(2, undefined)
  const kept = new KeptCheckpoint({ maxBytes: 2 ** 28, maxText: 2 ** 25 })
  await checkpoint.omitted()
  for (const part of await checkpoint.take()) kept.take(part)
  const { entries, contents } = kept.facts
  return { entries: entries.filter(({ key }) => key.startsWith(BIND_KEY)), contents }
}
const real = { copy: await realBinds('copy'), direct: await realBinds('direct') }

let taken = 0
let refused = 0

fuzz({
  target: 'snapshot',
  title: 'facts of mirrors with any change are taken over or refused, and nothing leads out of a bind',
  cases: 80,
  input: fc
    .constantFrom('copy' as const, 'direct' as const)
    .chain((mode) => fc.tuple(fc.constant(mode), bindChanges(real[mode].entries))),
  holds: async ([mode, changes]) => {
    const entries = changedFacts(real[mode].entries, changes)
    rmSync(join(root, 'forged'), { recursive: true, force: true })
    const { checkpoint, service, run } = await opened('forged', mode)
    const contents = [...real[mode].contents].map(([id, bytes]) => ({ id, bytes }))
    try {
      await checkpoint.restore({ contents, entries, forgotten: [], last: true })
      taken += 1
    } catch (error) {
      expect(error).toBeInstanceOf(Error)
      refused += 1
      return
    }
    await run('ls -lR /work; cat /work/a; echo more >> /work/a; rm -rf /work/d')
    expect(await service.changes(90, undefined)).toHaveProperty('ok')
    expect(await service.applyChanges(91, { bind: '/work' })).toHaveProperty('ok')
    expect([readdirSync(root).sort(), readdirSync(join(root, 'forged'))]).toEqual([
      ['forged', 'real'],
      [mode],
    ])
  },
  ends: () => [taken, refused],
})
