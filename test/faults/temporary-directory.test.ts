import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { ownCells } from '../places/cells/children/cells-of.ts'
import { levelsOrThreadAndCell } from '../support/describe-engines.ts'
import { endOf, faultyHost, lost, makeHost, printed, until } from './helpers.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

it.each(levelsOrThreadAndCell)(
  'a session is made in TMPDIR, and the error says so where that is no directory: %s',
  async (isolation) => {
    vi.stubEnv('TMPDIR', '/nowhere/at/all')
    const host = makeHost({ isolation })
    await expect(host.open()).rejects.toMatchObject({
      code: 'IO_ERROR',
      message: expect.stringContaining('/nowhere/at/all'),
    })
    vi.unstubAllEnvs()
    const sandbox = await makeHost({ isolation }).open()
    expect(await sandbox.execute('echo a')).toEqual(printed('a\n'))
  },
)

it('the variable is none of the session', async () => {
  vi.stubEnv('TMPDIR', '/tmp/')
  const host = makeHost()
  for (const shell of ['bash', 'strands'] as const) {
    const sandbox = await host.open({ shell })
    expect(await sandbox.execute('echo "[$TMPDIR]"; env | grep TMPDIR')).toMatchObject({ stdout: '[]\n' })
  }
})

it('a cell that is killed while it opens a session leaves nothing there', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'temporary-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const temporary = join(directory, 'tmp')
  mkdirSync(temporary)
  vi.stubEnv('TMPDIR', temporary)
  const trigger = join(directory, 'trigger')
  const host = faultyHost({ isolation: 'process', hardening: 'none' })
  const opening = host.open({
    files: { '/a.conf': '1', '/srv/a.conf': '1' },
    env: { FAULT_OPEN: 'hold', FAULT_TRIGGER: trigger },
  })
  const end = endOf(opening)
  await until(() => existsSync(`${trigger}.held`), 60)
  for (const cell of ownCells()) process.kill(cell, 'SIGKILL')
  expect(await end).toEqual(lost('CELL_EXITED'))
  expect(readdirSync(temporary)).toEqual([])
})
