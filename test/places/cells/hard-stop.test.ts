import { describe, expect, it } from 'vitest'
import type { StrandsShellSandbox } from '../../../src/index.ts'
import { aborted, endOf, timedOut, until, within } from '../../faults/helpers.ts'
import { cellHost, cellPids, isThere, lostBy, ofCell, told } from './helpers.ts'

/** A command that nothing interrupts, inside the engine. */
const endless = "jq -n '[limit(100000000; repeat(1))]|length'"

/** Cuts a call short once the engine runs it. */
async function cutShort(sandbox: StrandsShellSandbox, command = endless): Promise<unknown> {
  return endOf(sandbox.execute(command, { timeout: 0.2 }))
}

describe('the only sandbox of a cell', () => {
  it('ends its cell with a timeout that resets it: within a second nothing of the command is left', async () => {
    const host = cellHost()
    const sandbox = await host.open({ onInterrupt: 'reset' })
    const [pid = 0] = cellPids()
    expect(await cutShort(sandbox)).toEqual(timedOut)
    await until(() => !isThere(pid), 1)
    expect(await told(sandbox.execute('echo again'))).toBe('again\n')
    expect(host.stats()).toMatchObject({ cells: 1, leased: 1, retired: 0 })
  })

  it('ends it with an abort as well', async () => {
    const host = cellHost()
    const sandbox = await host.open({ onInterrupt: 'reset' })
    const [pid = 0] = cellPids()
    const call = endOf(sandbox.execute(endless, { signal: AbortSignal.timeout(200) }))
    expect(await call).toEqual(aborted)
    await until(() => !isThere(pid), 1)
    expect(await told(sandbox.execute('echo again'))).toBe('again\n')
  })

  it('keeps it under onInterrupt keep', async () => {
    const host = cellHost()
    const sandbox = await host.open()
    const pids = cellPids()
    await sandbox.execute('echo kept > /tmp/kept')
    expect(await cutShort(sandbox, 'sleep 0.4')).toEqual(timedOut)
    expect(await told(sandbox.execute('cat /tmp/kept'))).toBe('kept\n')
    expect(cellPids()).toEqual(pids)
  })

  it('ends it when it is closed under the command', async () => {
    const host = cellHost()
    const sandbox = await host.open()
    const [pid = 0] = cellPids()
    expect(await cutShort(sandbox)).toEqual(timedOut)
    expect(isThere(pid)).toBe(true)
    await within(5, sandbox.close())
    await until(() => !isThere(pid), 1)
    expect(host.stats()).toMatchObject({ leased: 0, retired: 0 })
  })

  it('leaves it as it was where no command runs: the next one has it', async () => {
    const host = cellHost()
    const pids: (readonly number[])[] = []
    for (let opened = 0; opened < 3; opened++) {
      const sandbox = await host.open()
      pids.push(cellPids())
      await sandbox.close()
    }
    expect(pids).toEqual([pids[0], pids[0], pids[0]])
  })

  it('leaves it as it was where it could not be built', async () => {
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
  /** One of two sandboxes of a cell has a call cut short; its place is given up, and it opens in another cell. */
  async function withCutShort(command: string, maxRetired = 64) {
    const host = cellHost({ maxCells: 1, sandboxesPerCell: 3, maxRetired })
    const sandbox = await host.open({ onInterrupt: 'reset' })
    const neighbour = await host.open()
    const [pid = 0] = cellPids()
    const working = told(neighbour.execute('sleep 0.4; echo works on'))
    expect(await cutShort(sandbox, command)).toEqual(timedOut)
    return { host, sandbox, neighbour, pid, working }
  }

  it('is retired, and its neighbours work on; the cell takes nobody in until the command has ended', async () => {
    const { host, sandbox, neighbour, pid, working } = await withCutShort('sleep 1.5')
    expect(host.stats().retired).toBe(1)
    expect(await told(sandbox.execute('echo again'))).toBe('again\n')
    const other = await host.open()
    expect(await working).toBe('works on\n')
    const [replacement = 0, more] = cellPids().filter((started) => started !== pid)
    expect(more).toBe(undefined)

    await until(() => host.stats().retired === 0)
    process.kill(replacement, 'SIGKILL')
    await until(() => sandbox.status === 'lost' && other.status === 'lost')
    await other.close()
    const next = await host.open()
    expect(await told(next.execute('echo moved in'))).toBe('moved in\n')
    expect([cellPids(), neighbour.generation]).toEqual([[pid], 1])
  })

  it('that runs on for ever goes with the last of them', async () => {
    const { host, neighbour, pid, working } = await withCutShort(endless)
    expect(await working).toBe('works on\n')
    expect([isThere(pid), host.stats().retired]).toEqual([true, 1])
    await within(5, neighbour.close())
    await until(() => !isThere(pid), 1)
    expect(host.stats().retired).toBe(0)
  })

  it('ends the cell where there are maxRetired: its neighbours are told, and there is room again', async () => {
    const { host, sandbox, neighbour, pid, working } = await withCutShort(endless, 1)
    const why =
      /^The cell was killed: 1 given-up sessions of it still ran their last command \(maxRetired: 1\)\.$/
    expect(await working).toEqual(lostBy('CELL_KILLED', why))
    await until(() => !isThere(pid), 1)
    expect(host.stats().retired).toBe(0)
    expect(await told(neighbour.execute('echo b'))).toBe('b\n')
    expect(await told(sandbox.execute('echo a'))).toBe('a\n')
  })

  it('that was given up before its cell had started is forgotten', async () => {
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
