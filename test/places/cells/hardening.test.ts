import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { seccompFilter } from '../../../src/engines/seccomp-filter.ts'
import type { CellHardening } from '../../../src/places/cells/jail/found-hardening.ts'
import { CellHardener } from '../../../src/places/cells/jail/hardening.ts'
import { fakeBwrap } from '../../support/fake-bwrap.ts'
import { cellHost, told } from './helpers.ts'

const missing = { ok: false, reason: 'There is no bwrap.', remedy: 'Install it.' } as const
const found = { ok: true, program: '/bin/bwrap', filter: '/filter' } as const

beforeEach(() => {
  vi.stubEnv('PATH', '/nowhere')
})
afterEach(() => {
  vi.unstubAllEnvs()
})

describe('a host on a machine without bubblewrap', () => {
  it('with hardening auto has cells without jails, and says so once, in stats() and an event', async () => {
    const host = cellHost()
    const events: unknown[] = []
    host.on('hardening', (event) => events.push(event))
    expect(host.stats().hardening).toBe(undefined)
    const sandboxes = [await host.open(), await host.open({ shell: 'bash' })]
    for (const sandbox of sandboxes) expect(await told(sandbox.execute('echo works'))).toBe('works\n')
    const reason = 'bubblewrap is not installed: there is no bwrap in PATH.'
    const remedy = expect.stringContaining('apt-get install bubblewrap')
    expect(host.stats().hardening).toEqual({ cells: 'none', reason, remedy })
    expect(events).toEqual([
      expect.objectContaining({ kind: 'hardening', sandbox: 0, sequence: 0, reason, remedy }),
    ])
  })

  it('with hardening require rejects with the reason and the remedy', async () => {
    const host = cellHost({ hardening: 'require' })
    await expect(host.open()).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field: 'hardening',
      message: expect.stringMatching(
        /^hardening: 'require' cannot be held .* no bwrap in PATH\. Install it: /,
      ),
    })
    expect(host.stats().cells).toBe(0)
  })

  it('with hardening none says that it was asked for, and tells no event', async () => {
    const host = cellHost({ hardening: 'none' })
    const events: unknown[] = []
    host.on('hardening', (event) => events.push(event))
    await host.open()
    expect([host.stats().hardening, events]).toEqual([
      { cells: 'none', reason: "hardening is 'none'.", remedy: undefined },
      [],
    ])
  })
})

describe('what cells have', () => {
  it('is searched for once, and stays as it was found', async () => {
    const search = vi.fn(async () => missing)
    const hardener = new CellHardener('auto', () => undefined, search)
    await hardener.find()
    await hardener.find()
    expect([search.mock.calls.length, hardener.found?.cells]).toEqual([1, 'none'])
  })

  it('is searched for again where it is required and was not found', async () => {
    let finding: typeof missing | typeof found = missing
    const hardener = new CellHardener(
      'require',
      () => undefined,
      async () => finding,
    )
    await expect(hardener.find()).rejects.toThrow('There is no bwrap. Install it.')
    finding = found
    await hardener.find()
    expect(hardener.found).toEqual({ cells: 'jail', reason: undefined, remedy: undefined })
  })

  describe.each([
    [
      'Node does not start in one',
      'case " $* " in *" true "*) ;; *) exit 1 ;; esac',
      /does not start in a jail/,
    ],
    ['bubblewrap makes none', 'echo bwrap: strange >&2; exit 1', /cannot make a jail here: bwrap: strange/],
  ])('is no jail where %s', (_what, script, reason) => {
    it.each(['auto', 'require'] as const)('with hardening %s', async (choice) => {
      const told: CellHardening[] = []
      const url = pathToFileURL(import.meta.filename)
      const program = join(fakeBwrap(script), 'bwrap')
      const broken = { ok: true, program, filter: seccompFilter() ?? '' } as const
      const hardener = new CellHardener(
        choice,
        (fallback) => told.push(fallback),
        async () => broken,
      )
      await hardener.find()
      const engine = { engine: 'strands', kind: 'addon', path: import.meta.filename } as const
      const preparing = hardener.prepare({ engine, entry: url, workerEntry: url }, false)
      if (choice === 'require') {
        await expect(preparing).rejects.toThrow(/'require' cannot be held/)
        await expect(preparing).rejects.toThrow(reason)
        return
      }
      expect(await preparing).toBe(undefined)
      expect(hardener.found).toMatchObject({ cells: 'none', reason: expect.stringMatching(reason) })
      expect(told).toEqual([hardener.found])
    })
  })

  it('is not searched for where nobody wants it', async () => {
    const search = vi.fn(async () => found)
    await new CellHardener('none', () => undefined, search).find()
    expect(search).not.toHaveBeenCalled()
  })
})
