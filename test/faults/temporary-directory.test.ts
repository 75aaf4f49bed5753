import { afterEach, expect, it, vi } from 'vitest'
import { makeHost, printed } from './helpers.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

it.each(['worker', 'shared', 'process'] as const)(
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
