import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { StrandsShellConfig } from '../../../src/index.ts'
import { noJails } from '../../support/jail.ts'
import { cellPids } from './cell-pids.ts'
import { cellHost, told } from './helpers.ts'

/** A directory of the host with one file. */
function source(content = 'old\n'): string {
  const path = mkdtempSync(join(tmpdir(), 'jailed-binds-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  writeFileSync(join(path, 'file'), content)
  return path
}

function bound(path: string, more = {}): StrandsShellConfig {
  return { binds: [{ source: path, destination: '/work', ...more }] }
}

describe.skipIf(noJails !== undefined)(`cells in jails${noJails === undefined ? '' : `: ${noJails}`}`, () => {
  it('serve one set of binds each; sandboxes with the same share one', async () => {
    const host = cellHost({
      hardening: 'require',
      maxCells: 3,
      sandboxesPerCell: 4,
      cellsFor: { label: 'none' },
    })
    const [one, other] = [source(), source()]
    const sandboxes = [await host.open(), await host.open(bound(one)), await host.open(bound(other))]
    expect(cellPids().length).toBe(3)
    sandboxes.push(await host.open(), await host.open(bound(one)), await host.open(bound(other)))
    expect([cellPids().length, host.stats().leased]).toEqual([3, 6])
    const outputs = sandboxes.map((sandbox) => told(sandbox.execute('cat /work/file 2>&1 || true')))
    expect((await Promise.all(outputs)).filter((output) => output === 'old\n').length).toBe(4)
  })

  it('are not used for other binds, warm or not: a sandbox with binds waits for a cell of its own', async () => {
    const host = cellHost({ hardening: 'require', maxCells: 1, sandboxesPerCell: 2, warm: 2 })
    const [plain] = [await host.open()]
    const [pid] = cellPids()
    const opening = host.open(bound(source()))
    await plain.close()
    expect(await told((await opening).execute('cat /work/file'))).toBe('old\n')
    expect(cellPids()).not.toContain(pid)
  })

  it.each(['/proc/self', '/proc/cpuinfo'])('refuse to bind %s, and serve others', async (path) => {
    const host = cellHost({ hardening: 'require' })
    const binds = [{ source: path, destination: '/self', readonly: true }]
    await expect(host.open({ binds })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field: 'binds[0].source',
      message: expect.stringContaining('/proc of its own'),
    })
    expect(await told((await host.open()).execute('echo on'))).toBe('on\n')
  })

  it('mirror a directory and a single file, also by a link, and write to the host', async () => {
    const host = cellHost({ hardening: 'require' })
    const path = source()
    symlinkSync(path, `${path}-link`)
    onTestFinished(() => rmSync(`${path}-link`))
    const binds = [{ source: `${path}-link`, destination: '/work' }]
    const sandbox = await host.open({ binds })
    await sandbox.execute('echo new > /work/file')
    expect(readFileSync(join(path, 'file'), 'utf8')).toBe('new\n')
    await sandbox.close()
    const single = await host.open({ binds: [{ source: join(path, 'file'), destination: '/one' }] })
    await single.execute('echo newer >> /one')
    expect(readFileSync(join(path, 'file'), 'utf8')).toBe('new\nnewer\n')
    renameSync(join(source('by rename\n'), 'file'), join(path, 'file'))
    expect(await told(single.execute('cat /one'))).toBe('by rename\n')
  })

  it('keep the directory of their start where the host moves it; the next session has what is there then', async () => {
    const host = cellHost({ hardening: 'require' })
    const path = source()
    const sandbox = await host.open(bound(path))
    renameSync(path, `${path}-moved`)
    onTestFinished(() => rmSync(`${path}-moved`, { recursive: true, force: true }))
    mkdirSync(path)
    writeFileSync(join(path, 'file'), 'another\n')
    await sandbox.execute('echo new > /work/file')
    expect(readFileSync(join(`${path}-moved`, 'file'), 'utf8')).toBe('new\n')
    const next = await host.open(bound(path))
    expect(await told(next.execute('cat /work/file'))).toBe('another\n')
  })

  it.each(['strands', 'bash'] as const)(
    'say that a directory is gone which the host has removed; the next session has what is there then: %s',
    async (shell) => {
      const host = cellHost({ hardening: 'require' })
      const path = source()
      const binds = [{ source: path, destination: '/work' }]
      const sandbox = shell === 'bash' ? await host.open({ shell, binds }) : await host.open({ binds })
      rmSync(path, { recursive: true })
      mkdirSync(path)
      writeFileSync(join(path, 'file'), 'another\n')
      const end = await told(sandbox.execute('cat /work/file; echo new > /work/file'))
      if (shell === 'strands') expect(end).toMatchObject({ code: 'IO_ERROR' })
      else expect(end).toBe('')
      expect(readFileSync(join(path, 'file'), 'utf8')).toBe('another\n')
      const next = shell === 'bash' ? await host.open({ shell, binds }) : await host.open({ binds })
      expect(await told(next.execute('cat /work/file'))).toBe('another\n')
    },
  )

  it('refuse a source that is not there, in a cell without binds', async () => {
    const host = cellHost({ hardening: 'require', maxCells: 1 })
    await host.open()
    expect(await told(host.open(bound('/nowhere/at/all')))).toMatchObject({ code: 'INVALID_CONFIG' })
    expect(cellPids().length).toBe(1)
  })
})
