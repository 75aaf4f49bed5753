import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DirectSession, openDirect } from '../../../../mirror-model/direct-session.ts'

/** File operations look at their own path where that is known, and at everything where it is not. */
describe('a file operation has the host’s current files', () => {
  const root = mkdtempSync(`${tmpdir()}/mirror-locate-`)
  let session: DirectSession
  let calls = 0

  beforeAll(async () => {
    mkdirSync(`${root}/d`)
    symlinkSync('d', `${root}/l`)
    writeFileSync(`${root}/d/f`, 'at open')
    session = await openDirect(root)
    await session.run('ln -s /work/d /tmp/out; mkdir /tmp/e; cd /work/d')
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  it.each([
    '/work/d/f',
    '/work//d/./f',
    '/work/d/../d/f',
    '/work/l/f',
    '/tmp/out/f',
    '/tmp/e/../../work/d/f',
    'f',
    './f',
    '../d/f',
  ])('read as %s', async (path) => {
    calls += 1
    const text = `text ${calls}`
    writeFileSync(`${root}/d/f`, text)
    const outcome = await session.service.readFile(calls, path)
    expect(outcome.ok && Buffer.from(outcome.value).toString()).toBe(text)
  })

  it.each(['/work/d', '/work/d/', '/work/l', '/tmp/out', '.', '../l'])('listed as %s', async (path) => {
    calls += 1
    writeFileSync(`${root}/d/new ${calls}`, '')
    const outcome = await session.service.listFiles(calls, path)
    expect(outcome.ok && outcome.value.map(({ name }) => name)).toContain(`new ${calls}`)
  })

  it('in a place that is not mirrored', async () => {
    calls += 1
    const content = new Uint8Array(Buffer.from('mine'))
    expect(await session.service.writeFile(calls, '/tmp/e/g', content)).toMatchObject({ ok: true })
    const outcome = await session.service.readFile(calls, '/tmp/e/g')
    expect(outcome.ok && Buffer.from(outcome.value).toString()).toBe('mine')
  })
})
