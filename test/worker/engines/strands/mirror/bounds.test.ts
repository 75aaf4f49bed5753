import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, it, onTestFinished } from 'vitest'
import { openDirect } from '../../../../mirror-model/direct-session.ts'

/** A directory with two files of two bytes each and a directory. */
function source(): string {
  const root = mkdtempSync(`${tmpdir()}/mirror-bounds-`)
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(`${root}/d`)
  writeFileSync(`${root}/a`, '11')
  writeFileSync(`${root}/d/b`, '22')
  return root
}

const listing = {
  ok: true,
  value: { exitCode: 0, stderr: '', stdout: '/work\n/work/a\n/work/d\n/work/d/b\n' },
}

it('opens a directory that is exactly at its bounds', async () => {
  const { run } = await openDirect(source(), {}, { maxFiles: 3, maxBytes: 4 })
  expect(await run('find /work')).toMatchObject(listing)
})

it.each([
  ['limits.mirrorMaxFiles', { maxFiles: 2, maxBytes: 4 }, 2],
  ['limits.mirrorMaxBytes', { maxFiles: 3, maxBytes: 3 }, 3],
])('rejects a directory that exceeds %s', async (name, bounds, value) => {
  await expect(openDirect(source(), {}, bounds)).rejects.toMatchObject({
    data: { code: 'LIMIT_EXCEEDED', limit: { name, value } },
  })
})

it.each([
  ['files', { maxFiles: 3, maxBytes: 100 }],
  ['bytes', { maxFiles: 100, maxBytes: 4 }],
])('skips new entries of a directory that grows over its %s', async (_, bounds) => {
  const root = source()
  const { run, service } = await openDirect(root, {}, bounds)
  writeFileSync(`${root}/c`, '3')
  expect(await run('find /work')).toMatchObject(listing)
  const skipped = async () => {
    const description = await service.describe(1)
    return description.ok ? description.value.skipped : description
  }
  expect(await skipped()).toEqual([{ bind: '/work', path: '/work/c', reason: 'over the bounds' }])
  // What is known goes on: it may grow, and when it goes there is room.
  writeFileSync(`${root}/a`, '1111')
  expect(await run('cat /work/a')).toMatchObject({ value: { stdout: '1111' } })
  rmSync(`${root}/a`)
  rmSync(`${root}/d`, { recursive: true })
  expect(await run('true')).toMatchObject({ ok: true })
  expect(await run('find /work')).toMatchObject({ value: { stdout: '/work\n/work/c\n' } })
  expect(await skipped()).toEqual([])
})
