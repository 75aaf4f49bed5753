import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { BashSandbox } from '../../../src/bash/index.ts'
import type { ShellHost } from '../../../src/index.ts'
import { until } from '../../faults/helpers.ts'
import { cellPids } from './cell-pids.ts'
import { cellEntry, cellHost, faultyCell, lostBy, told } from './helpers.ts'

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), 'thread-pipes-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** A host with one cell, and what keeps the main thread of that cell busy until `end` is called. */
function busyCell(options: { readonly sandboxesPerCell?: number } = {}) {
  const file = join(temporary(), 'busy')
  const path = JSON.stringify(file)
  const cellUrl = faultyCell(`writeFileSync(${path}, ''); while (existsSync(${path}));`)
  const before = new Set(cellPids())
  // A jailed cell would see another file.
  const host = cellHost({ maxCells: 1, sandboxesPerCell: 2, hardening: 'none', cellUrl, ...options })
  const busy = async () => {
    for (const pid of cellPids()) if (!before.has(pid)) process.kill(pid, 'SIGUSR2')
    await until(() => existsSync(file))
  }
  return { host, busy, end: () => rmSync(file) }
}

async function opened(host: ShellHost, count: number) {
  return Promise.all(Array.from({ length: count }, () => host.open()))
}

describe('a thread of a cell', () => {
  it('answers its calls while the main thread of the cell is busy', async () => {
    const { host, busy, end } = busyCell()
    const one = await host.open()
    const other = await host.open()
    await busy()
    expect(await Promise.all([told(one.execute('echo a')), told(other.execute('echo b'))])).toEqual([
      'a\n',
      'b\n',
    ])
    await one.writeFile('/tmp/file', new Uint8Array(2 ** 20))
    expect((await one.readFile('/tmp/file')).length).toBe(2 ** 20)
    end()
  })

  it('keeps its pipe for its next sandbox', async () => {
    const { host, busy, end } = busyCell()
    const first = await host.open()
    await first.execute('echo a')
    const second = await host.open()
    await first.close()
    const third = await host.open()
    await busy()
    expect(await Promise.all([second, third].map((sandbox) => told(sandbox.execute('echo b'))))).toEqual([
      'b\n',
      'b\n',
    ])
    end()
  })

  it('is reached by the main thread where no pipe is left for it', async () => {
    const { host, busy, end } = busyCell({ sandboxesPerCell: 10 })
    const sandboxes = await opened(host, 10)
    const printed = () =>
      Promise.all(sandboxes.map((sandbox, number) => told(sandbox.execute(`echo ${number}`))))
    const all = sandboxes.map((_, number) => `${number}\n`)
    expect(await printed()).toEqual(all)
    await busy()
    let answered = 0
    const answers = printed()
    const later = sandboxes.map((sandbox) => sandbox.execute('echo a').then(() => answered++))
    await until(() => answered === 8)
    end()
    expect(await answers).toEqual(all)
    await Promise.all(later)
  })

  it('is reached by the main thread where its worker entry has no file for pipes beside it', async () => {
    const directory = temporary()
    const built = fileURLToPath(new URL('../../../dist/worker/', import.meta.url))
    for (const file of readdirSync(built)) {
      if (file !== 'thread-pipe.cjs') copyFileSync(join(built, file), join(directory, file))
    }
    const host = cellHost({ workerUrl: pathToFileURL(join(directory, 'entry.cjs')) })
    expect(await told((await host.open()).execute('echo a'))).toBe('a\n')
  })
})

it('a cell that names a pipe which is not there is ended', async () => {
  const cellUrl = cellEntry(`
    import { CellChannel } from '#src/channel/cell-channel.ts'
    const send = CellChannel.prototype.sendControl
    CellChannel.prototype.sendControl = function (message) {
      send.call(this, message.kind === 'opened' ? { ...message, pipe: 99 } : message)
    }`)
  const host = cellHost({ cellUrl })
  expect(await told(host.open())).toEqual(lostBy('PROTOCOL', /sent something that is not of the contract/))
})

it('a call of bash in a cell is answered before the next one computes', async () => {
  const host = cellHost()
  const sandbox = await BashSandbox.open({}, { host })
  const ends: string[] = []
  const calls = ['echo a', 'for ((i = 0; i < 200000; i++)); do :; done; echo b'].map(async (command) => {
    const { stdout, durationMs } = await sandbox.execute(command)
    ends.push(stdout)
    return { at: performance.now(), durationMs }
  })
  const [first, second] = await Promise.all(calls)
  expect(ends).toEqual(['a\n', 'b\n'])
  const between = (second?.at ?? 0) - (first?.at ?? 0)
  expect(between).toBeGreaterThan((second?.durationMs ?? 0) / 2)
})
