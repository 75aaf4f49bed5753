import { expect, test } from 'vitest'
import type { BashRecord } from '../../../../src/contract/shell-record.ts'
import { KeptCheckpoint } from '../../../../src/session/kept-checkpoint.ts'
import { contentOf, Snapshot, snapshotOf } from '../../../../src/snapshot/snapshot.ts'
import type { EngineShell } from '../../../../worker/service/engine-shell.ts'
import { cases } from '../../../support/tier.ts'
import { openShell, run } from './open-shell.ts'
import { Choices } from './support/random.ts'
import { CALLS, look, STEPS } from './support/states.ts'

const bounds = { maxBytes: 2 ** 28, maxText: 2 ** 25 }

/** What the sandbox begins with that the snapshot is taken of. Another one that opens it has none of this. */
const record: Partial<BashRecord> = {
  files: [
    ['/data/a', new TextEncoder().encode('from the config')],
    ['/data/never/changed', new Uint8Array([0, 255])],
  ],
  writable: ['/work'],
  cwd: '/work',
  env: [
    ['FROM_CONFIG', 'a  b'],
    ['HOME', '/work'],
  ],
  umask: 0o027,
}

/** What a shell begins with that gets everything from a snapshot. */
const bare: Partial<BashRecord> = { env: [], cwd: '/', files: [], restores: true }

async function handOver(shell: EngineShell, kept: KeptCheckpoint): Promise<void> {
  for (const part of (await shell.checkpoint?.()) ?? [])
    expect(kept.take(structuredClone(part))).toBe('taken')
}

/** A snapshot that has left the process and come back. */
async function taken(shell: EngineShell, kept: KeptCheckpoint): Promise<Snapshot> {
  expect(await shell.tellAll?.()).toMatchObject({ ok: true })
  await handOver(shell, kept)
  const { facts } = kept
  const snapshot = snapshotOf({ engine: 'bash', form: '1', createdAt: new Date(), omitted: [], facts })
  return Snapshot.from(await snapshot.toBytes({ gzip: true }))
}

async function opened(snapshot: Snapshot, from: Partial<BashRecord> = {}): Promise<EngineShell> {
  const kept = KeptCheckpoint.of(contentOf(snapshot).facts, bounds)
  if (kept === undefined) throw new Error('It is too large.')
  const shell = await openShell({ ...bare, ...from })
  for (const part of kept.parts())
    expect(await shell.restore?.(structuredClone(part))).toEqual({ ok: true, value: null })
  return shell
}

test('a session of any changes is the same in a sandbox of another config', async () => {
  for (let seed = 1; seed <= cases(6); seed += 1) {
    const choices = new Choices(seed)
    let shell = await openShell(record)
    let kept = new KeptCheckpoint(bounds)
    for (let step = 0; step < 24; step += 1) {
      await run(shell, choices.one(STEPS))
      await handOver(shell, kept)
      if (step % 9 !== 8) continue
      // It goes on from a snapshot, and the next one is taken of that.
      const snapshot = await taken(shell, kept)
      kept = KeptCheckpoint.of(contentOf(snapshot).facts, bounds) ?? kept
      shell = await opened(snapshot)
    }
    const again = await opened(await taken(shell, kept))
    expect([seed, await look(again)]).toEqual([seed, await look(shell)])
    for (const call of CALLS)
      expect([seed, call, await run(again, call)]).toEqual([seed, call, await run(shell, call)])
  }
})

test('has what the config gave, and not what was removed of it', async () => {
  const shell = await openShell(record)
  const kept = new KeptCheckpoint(bounds)
  await run(
    shell,
    'rm /data/a; rm -r /etc; unset USER; printf "\\xff" > "$(printf "n\\xfe")"; x=$(printf "\\xfd")',
  )
  await handOver(shell, kept)
  const again = await opened(await taken(shell, kept))
  const probe = `pwd; umask; ls -d /etc /data/*; od -An -tx1 /data/never/changed n*; printf %s "$x" | od -An -tx1; echo "$FROM_CONFIG $HOME \${USER-unset}"; stat -c %a /home/user`
  const seen = await run(again, probe)
  expect(seen).toEqual(await run(shell, probe))
  expect(seen[1]).toBe('/work\n0027\n/data/never\n 00 ff ff\n fd\na  b /work unset\n750\n')
})

test('has the same after an empty session, and nothing twice', async () => {
  const shell = await openShell(record)
  const kept = new KeptCheckpoint(bounds)
  const first = await taken(shell, kept)
  expect(await shell.checkpoint?.()).toEqual([])
  expect(await look(await opened(first))).toEqual(await look(shell))
  const names = contentOf(first).facts.entries.map(({ key }) => key)
  expect(names.filter((key) => /^file \/(bin|dev|usr\/bin|proc)\//.test(key))).toEqual([])
  expect(names.length).toBeLessThan(200)
})

test('is refused where it is not of this engine', async () => {
  for (const entry of [
    { key: 'file /a', value: '{"type":"file","mode":420,"modified":0}' },
    { key: 'other x', value: '1' },
    { key: 'function f', value: '{"type":"Word"}' },
  ]) {
    const shell = await openShell(bare)
    const restoring = shell.restore?.({ contents: [], entries: [entry], forgotten: [], last: true })
    await expect(restoring, entry.key).rejects.toThrow()
  }
})
