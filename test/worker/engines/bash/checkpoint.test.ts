import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { CheckpointPart } from '../../../../src/contract/checkpoint.ts'
import { KeptCheckpoint } from '../../../../src/session/kept-checkpoint.ts'
import type { EngineShell } from '../../../../worker/service/engine-shell.ts'
import { cases } from '../../../support/tier.ts'
import { freshLimits, openShell, run } from './open-shell.ts'
import { Choices } from './support/random.ts'
import { CALLS, look, STEPS } from './support/states.ts'

const bounds = { maxBytes: 2 ** 28, maxText: 2 ** 25 }
const files = [['/data/a', new TextEncoder().encode('from the config')]] as const

/** What the shell has changed since the last time. */
async function changes(shell: EngineShell): Promise<readonly CheckpointPart[]> {
  return (await shell.checkpoint?.()) ?? []
}

async function handOver(shell: EngineShell, kept: KeptCheckpoint): Promise<void> {
  for (const part of await changes(shell)) expect(kept.take(structuredClone(part))).toBe('taken')
}

async function restored(kept: KeptCheckpoint, record: Parameters<typeof openShell>[0] = {}) {
  const shell = await openShell({ files, restores: true, ...record })
  for (const part of kept.parts())
    expect(await shell.restore?.(structuredClone(part))).toEqual({ ok: true, value: null })
  return shell
}

test('a session of any changes is the same after a checkpoint', async () => {
  for (let seed = 1; seed <= cases(6); seed += 1) {
    const choices = new Choices(seed)
    let shell = await openShell({ files })
    const kept = new KeptCheckpoint(bounds)
    for (let step = 0; step < 24; step += 1) {
      const command = choices.one(STEPS)
      await run(shell, command)
      await handOver(shell, kept)
      // The state goes through another shell now and then, which hands over what comes next.
      if (step % 7 === 6) shell = await restored(kept)
    }
    const again = await restored(kept)
    expect([seed, await look(again)]).toEqual([seed, await look(shell)])
    for (const call of CALLS)
      expect([seed, call, await run(again, call)]).toEqual([seed, call, await run(shell, call)])
  }
})

/** Keys and numbers of contents of all that has changed. */
async function told(shell: EngineShell) {
  const parts = await changes(shell)
  return {
    keys: parts.flatMap(({ entries }) => entries.map(({ key }) => key)).sort(),
    contents: parts.flatMap(({ contents }) => contents.map(({ bytes }) => bytes.length)),
    forgotten: parts.flatMap(({ forgotten }) => [...forgotten]).sort(),
  }
}

const nothing = { keys: [], contents: [], forgotten: [] }

test('restores functions that fork, and those with head in a pipeline', async () => {
  const shell = await openShell({ files })
  const kept = new KeptCheckpoint(bounds)
  await run(
    shell,
    'f() { seq 1 3 | head -1; (trap "echo bye" EXIT; echo in); x=(a "b c"); echo "bg ${x[1]}" & wait; c=$1; $c ok; }',
  )
  await handOver(shell, kept)
  expect(await run(await restored(kept), 'f echo')).toEqual(await run(shell, 'f echo'))
})

test('hands over what a call has changed, and nothing where it has changed nothing', async () => {
  const shell = await openShell({ files })
  expect(await told(shell)).toEqual(nothing)
  for (const command of [
    'true',
    'echo a | cat',
    'cat /data/a /proc/self/status',
    'x=$(ls -R / | wc -l); unset x',
  ])
    expect([command, await run(shell, command).then(() => told(shell))]).toEqual([command, nothing])
  await run(shell, 'x=1')
  expect(await told(shell)).toEqual({ ...nothing, keys: ['variable x'] })
  await run(shell, 'unset x; false')
  expect(await told(shell)).toEqual({
    ...nothing,
    keys: ['value lastExitCode', 'variable ?'],
    forgotten: ['variable x'],
  })
  await shell.setEnv('E', '1')
  expect(await told(shell)).toEqual({ ...nothing, keys: ['attribute exportedVars', 'variable E'] })
  await shell.removeFile('/data/a', false)
  expect(await told(shell)).toEqual({ ...nothing, keys: ['file /data/a'] })
})

test('hands over bytes once, whatever becomes of their path', async () => {
  const shell = await openShell()
  await shell.writeFile('/tmp/a', new Uint8Array(1000))
  expect(await told(shell)).toEqual({ ...nothing, keys: ['file /tmp/a'], contents: [1000] })
  await run(shell, 'mv /tmp/a /tmp/b; chmod 600 /tmp/b; touch -d 2001-02-03 /tmp/b')
  expect(await told(shell)).toEqual({
    keys: ['file /tmp/b'],
    contents: [],
    forgotten: ['file /tmp/a'],
  })
  await run(shell, 'rm /tmp/b')
  expect(await told(shell)).toEqual({ ...nothing, forgotten: ['file /tmp/b'] })
})

test('keeps modes and times of files, links and directories', async () => {
  const shell = await openShell()
  const kept = new KeptCheckpoint(bounds)
  await run(
    shell,
    'mkdir -m 750 d; echo a > d/f; ln -s f d/l; touch -d 2001-02-03T04:05:06Z d/f d; chmod 4711 d/f',
  )
  await handOver(shell, kept)
  const again = await restored(kept)
  for (const path of ['d', 'd/f', 'd/l']) {
    const stat = await shell.stat?.(path)
    expect(stat).toMatchObject({ ok: true })
    expect([path, await again.stat?.(path)]).toEqual([path, stat])
  }
  expect(await run(again, 'echo through > d/l; cat d/f')).toEqual([0, 'through\n', ''])
})

test('does not run init again, and hands over what init has done', async () => {
  const init = 'echo init >> /tmp/log; f() { echo f; }'
  const shell = await openShell({ init })
  const kept = new KeptCheckpoint(bounds)
  await run(shell, 'x=1')
  await handOver(shell, kept)
  const again = await restored(kept, { init })
  expect(await run(again, 'cat /tmp/log; f; echo $x')).toEqual([0, 'init\nf\n1\n', ''])
})

test('refuses a checkpoint that is not of it', async () => {
  const entries = [
    { key: 'variable x', value: '1' },
    { key: 'variable x', value: '{' },
    { key: 'array a', value: '{"kind":"indexed","elements":[[1]]}' },
    { key: 'function f', value: '{"type":"Word","parts":[]}' },
    { key: 'attribute env', value: '[]' },
    { key: 'value cwd', value: '1' },
    { key: 'value options', value: '{"errexit":1}' },
    { key: 'other x', value: '1' },
    { key: 'file /a', value: '{"type":"file","mode":420,"modified":0}' },
    { key: 'file /a', value: '{"type":"device"}' },
  ]
  for (const entry of entries) {
    const shell = await openShell()
    const restoring = shell.restore?.({ contents: [], entries: [entry], forgotten: [], last: true })
    await expect(restoring, JSON.stringify(entry)).rejects.toThrow()
  }
})

test('takes over a variable that is no expression, which then fails', async () => {
  const shell = await openShell()
  const entries = [{ key: 'variable n', value: JSON.stringify('kKcRdQ[$') }]
  await shell.restore?.({ contents: [], entries, forgotten: [], last: true })
  const [exitCode, stdout] = await run(shell, '(( n + 1 )); echo $? "$n"; echo $((n)); echo no')
  expect([exitCode, stdout]).toEqual([1, '1 kKcRdQ[$\n'])
})

test('refuses files that have no room', async () => {
  const limits = { ...freshLimits, maxFileSystem: 1000 }
  const shell = await openShell()
  const kept = new KeptCheckpoint(bounds)
  await run(shell, 'head -c 2000 /dev/zero > zeros')
  await handOver(shell, kept)
  await expect(restored(kept, { limits })).rejects.toThrow('ENOSPC')
})

test('what was left out of host directories is told as before', async () => {
  const source = mkdtempSync(join(tmpdir(), 'checkpoint-'))
  onTestFinished(() => rmSync(source, { recursive: true }))
  execFileSync('mkfifo', [join(source, 'pipe')])
  const directories = [{ path: '/in', source }]
  const shell = await openShell({ directories })
  const kept = new KeptCheckpoint(bounds)
  await handOver(shell, kept)
  expect(await changes(shell)).toEqual([])
  const before = await shell.describe()
  expect(before).toMatchObject({ value: { skipped: [{ bind: '/in', path: '/in/pipe' }] } })
  const again = await restored(kept, { files: [], directories })
  expect(await again.describe()).toEqual(before)
  expect(await changes(again)).toEqual([])
})
