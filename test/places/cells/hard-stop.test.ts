import { describe, expect, it } from 'vitest'
import type { ShellHostOptions, StrandsShellSandbox } from '../../../src/index.ts'
import { aborted, endOf, timedOut, until, within } from '../../faults/helpers.ts'
import { endReaders, silentPipe } from '../../support/silent-pipe.ts'
import { cellPids, isThere } from './cell-pids.ts'
import { cellHost, lostBy, ofCell, told } from './helpers.ts'

/** A command that nothing interrupts, inside the engine: it reads a pipe that nobody writes. */
const endless = 'cat /silent/pipe'

/** A host whose sandboxes have the pipe. */
function pipeHost(options: ShellHostOptions = {}, silent = silentPipe()) {
  return cellHost({
    ...options,
    defaults: { binds: [{ source: silent, destination: '/silent', readonly: true }] },
  })
}

/** Cuts a call short once the engine runs it: what a first command loads is there. */
async function cutShort(sandbox: StrandsShellSandbox, command = endless): Promise<unknown> {
  await sandbox.execute('true')
  return endOf(sandbox.execute(command, { timeout: 1 }))
}

describe('the only sandbox of a cell', () => {
  it('ends its cell within a second when a timeout resets it', async () => {
    const host = pipeHost()
    const sandbox = await host.open({ onInterrupt: 'reset' })
    const [pid = 0] = cellPids()
    expect(await cutShort(sandbox)).toEqual(timedOut)
    await until(() => !isThere(pid))
    expect(await told(sandbox.execute('echo again'))).toBe('again\n')
    expect(host.stats()).toMatchObject({ cells: 1, leased: 1, retired: 0 })
  })

  it('ends its cell when an abort resets it', async () => {
    const host = pipeHost()
    const sandbox = await host.open({ onInterrupt: 'reset' })
    const [pid = 0] = cellPids()
    const call = endOf(sandbox.execute(endless, { signal: AbortSignal.timeout(200) }))
    expect(await call).toEqual(aborted)
    await until(() => !isThere(pid))
    expect(await told(sandbox.execute('echo again'))).toBe('again\n')
  })

  it('keeps its cell when onInterrupt is keep', async () => {
    const host = cellHost()
    const sandbox = await host.open()
    const pids = cellPids()
    await sandbox.execute('echo kept > /tmp/kept')
    expect(await cutShort(sandbox, 'sleep 2')).toEqual(timedOut)
    expect(await told(sandbox.execute('cat /tmp/kept'))).toBe('kept\n')
    expect(cellPids()).toEqual(pids)
  })

  it('ends its cell when it is closed while a command runs', async () => {
    const host = pipeHost()
    const sandbox = await host.open()
    const [pid = 0] = cellPids()
    expect(await cutShort(sandbox)).toEqual(timedOut)
    expect(isThere(pid)).toBe(true)
    await within(60, sandbox.close())
    await until(() => !isThere(pid))
    expect(host.stats()).toMatchObject({ leased: 0, retired: 0 })
  })

  it('leaves its cell to the next sandbox when it is closed while no command runs', async () => {
    const host = cellHost()
    const pids: (readonly number[])[] = []
    for (let opened = 0; opened < 3; opened++) {
      const sandbox = await host.open()
      pids.push(cellPids())
      await sandbox.close()
    }
    expect(pids).toEqual([pids[0], pids[0], pids[0]])
  })

  it('leaves its cell as it was when its shell could not be built', async () => {
    const host = cellHost()
    await (await host.open()).close()
    const pids = cellPids()
    expect(await told(host.open({ binds: [{ source: '/no/such/place', destination: '/a' }] }))).toMatchObject(
      {
        code: 'INVALID_CONFIG',
      },
    )
    expect(await told((await host.open()).execute('echo a'))).toBe('a\n')
    expect(cellPids()).toEqual(pids)
  })
})

describe('one of several sandboxes in a cell', () => {
  /** One of two sandboxes of a cell has a call cut short; its place is retired, and it opens in another cell. */
  async function withCutShort({ maxRetired = 64, neighbours = 'sleep 0.4; echo works on' } = {}) {
    const silent = silentPipe()
    const host = pipeHost({ maxCells: 1, sandboxesPerCell: 3, maxRetired }, silent)
    const sandbox = await host.open({ onInterrupt: 'reset' })
    const neighbour = await host.open()
    const [pid = 0] = cellPids()
    const working = told(neighbour.execute(neighbours))
    expect(await cutShort(sandbox)).toEqual(timedOut)
    return { host, sandbox, neighbour, pid, working, silent }
  }

  it('is retired while its neighbours go on; the cell takes no other sandbox until the command has ended', async () => {
    const { host, sandbox, neighbour, pid, working, silent } = await withCutShort()
    expect(host.stats().retired).toBe(1)
    expect(await told(sandbox.execute('echo again'))).toBe('again\n')
    const other = await host.open()
    expect(await working).toBe('works on\n')
    const replacements = cellPids().filter((started) => started !== pid)
    expect(replacements).toHaveLength(1)

    endReaders(silent)
    await until(() => host.stats().retired === 0)
    for (const replacement of replacements) process.kill(replacement, 'SIGKILL')
    await until(() => sandbox.status === 'lost' && other.status === 'lost')
    await other.close()
    const next = await host.open()
    expect(await told(next.execute('echo moved in'))).toBe('moved in\n')
    expect([cellPids(), neighbour.generation]).toEqual([[pid], 1])
  })

  it('whose command never ends is ended with the last sandbox of its cell', async () => {
    const { host, neighbour, pid, working } = await withCutShort()
    expect(await working).toBe('works on\n')
    expect([isThere(pid), host.stats().retired]).toEqual([true, 1])
    await within(60, neighbour.close())
    await until(() => !isThere(pid))
    expect(host.stats().retired).toBe(0)
  })

  it('ends the cell when there are maxRetired retired ones: its neighbours are lost, and places are free again', async () => {
    const { host, sandbox, neighbour, pid, working } = await withCutShort({
      maxRetired: 1,
      neighbours: 'sleep 60',
    })
    const why =
      /^The cell was killed: 1 retired sessions of it still ran their last command \(maxRetired: 1\)\.$/
    expect(await working).toEqual(lostBy('CELL_KILLED', why))
    await until(() => !isThere(pid))
    expect(host.stats().retired).toBe(0)
    expect(await told(neighbour.execute('echo b'))).toBe('b\n')
    expect(await told(sandbox.execute('echo a'))).toBe('a\n')
  })

  it('that is closed before its cell has started leaves nothing there', async () => {
    const host = cellHost({ maxCells: 1 })
    const abort = new AbortController()
    const given = told(host.open(ofCell(0), { signal: abort.signal }))
    const kept = host.open(ofCell(0))
    await until(() => host.stats().cells === 1)
    abort.abort()
    expect(await given).toMatchObject({ code: 'ABORTED' })
    await kept
    expect(host.stats().retired).toBe(0)
    expect(await told((await host.open(ofCell(0))).execute('echo moved in'))).toBe('moved in\n')
    expect(cellPids().length).toBe(1)
  })
})
