import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ExecutionResult, StrandsShellConfig } from '../../../src/index.ts'
import { endOf, timedOut, until, within } from '../../faults/helpers.ts'
import { byTier, isFull, sample } from '../../support/tier.ts'
import { cellPids, isThere } from './cell-pids.ts'
import { cellHost, lostBy, ofCell, told } from './helpers.ts'
import { endless, endlessConfig, killers } from './killer-cases.ts'
import { neighbour } from './neighbours.ts'

const mebibyte = 2 ** 20

/** A host of two cells: one with neighbours that work all along, and one with a sandbox of this config. */
async function loadedHost(config: StrandsShellConfig, maxCellMemory = 2048, sandboxesPerCell = 2) {
  const host = cellHost({ maxCellMemory: maxCellMemory * mebibyte, sandboxesPerCell })
  const first = await host.open(ofCell('working'))
  const pids = cellPids()
  const sandbox = await host.open(config)
  const pid = cellPids().find((started) => !pids.includes(started)) ?? 0
  const sandboxes = [first, await host.open(ofCell('working'))]
  expect(host.stats().cells).toBe(2)
  const working = sandboxes.map((one, index) => neighbour(one, `neighbour ${index}`))
  /** They have had every reply, have more of them now, and still have their first sessions and their cell. */
  const unharmed = async () => {
    const replies = working.map((one) => one.replies)
    await until(() => working.every((one, index) => one.replies > (replies[index] ?? 0) + 1))
    await Promise.all(working.map((one) => one.stop()))
    expect(sandboxes.map(({ status, generation }) => `${status} ${generation}`)).toEqual(['open 1', 'open 1'])
    expect(pids.every(isThere)).toBe(true)
  }
  return { host, sandbox, pid, unharmed }
}

/** A server that takes connections and says nothing, and a directory with a FIFO that nobody writes. */
async function hangingPlaces() {
  const server = createServer().listen(0, '127.0.0.1')
  const directory = mkdtempSync(join(tmpdir(), 'cells-fifo-'))
  onTestFinished(() => {
    server.close()
    rmSync(directory, { recursive: true, force: true })
  })
  execFileSync('mkfifo', [join(directory, 'pipe')])
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `http://127.0.0.1:${address.port}/`, directory }
}

/** What is told of a command: its exit code, or its error. */
async function ended(call: Promise<ExecutionResult>): Promise<unknown> {
  return within(60, told(call.then(({ exitCode }) => exitCode)))
}

describe('in a loaded host of cells', () => {
  it.each(sample(killers, ({ name }) => name.replace(/:.*/, '')))(
    '$name takes $takes, and the caller is told',
    async (killer) => {
      // What takes nothing may be slow, and ends by its deadline.
      const config = ofCell('struck', { timeout: killer.takes === 'nothing' ? 2 : 20 })
      const { host, sandbox, pid, unharmed } = await loadedHost(config, killer.maxCellMemory)
      const mate = await host.open(ofCell('struck'))
      expect(await ended(sandbox.execute(killer.command))).toEqual(killer.told)
      expect(await told(mate.execute('echo lives'))).toEqual(
        killer.takes === 'the cell' ? killer.told : 'lives\n',
      )
      expect(await told(sandbox.execute('echo again'))).toBe('again\n')
      expect(sandbox.generation).toBe(killer.takes === 'nothing' ? 1 : 2)
      expect(isThere(pid)).toBe(killer.takes !== 'the cell')
      await unharmed()
    },
  )

  it.each(
    sample(
      endless('').map(({ name }) => name),
      () => '',
    ),
  )('%s is gone with its cell once a timeout resets it', async (name) => {
    const { url, directory } = await hangingPlaces()
    const config = { ...endlessConfig(url, directory), onInterrupt: 'reset' } as const
    const { sandbox, pid, unharmed } = await loadedHost(config)
    const command = endless(url).find((one) => one.name === name)?.command ?? ''
    expect(await endOf(sandbox.execute(command, { timeout: 0.4 }))).toEqual(timedOut)
    await until(() => !isThere(pid))
    expect(await told(sandbox.execute('echo again'))).toBe('again\n')
    await unharmed()
  })

  it('what never ends is lost as DEADLINE_IGNORED without a timeout, and ends with its cell', async () => {
    const { url, directory } = await hangingPlaces()
    const config = { ...endlessConfig(url, directory), timeout: 1, onLost: 'fail' } as const
    const { host, sandbox, pid, unharmed } = await loadedHost(config, 4096, 8)
    const cases = endless(url).filter(
      ({ mayEnd, computes }) => mayEnd !== true && (isFull || computes !== true),
    )
    const others = await Promise.all(cases.slice(1).map(() => host.open(config)))
    const sandboxes = [sandbox, ...others]
    const calls = cases.map(({ command }, index) => sandboxes[index]?.execute(command))
    const loss = lostBy('DEADLINE_IGNORED', /^The engine ignored its deadline of 1 s by more than 2 s\.$/)
    expect(await within(60, Promise.all(calls.map((call) => told(Promise.resolve(call)))))).toEqual(
      cases.map(() => loss),
    )
    await until(() => !isThere(pid))
    expect(host.stats().retired).toBe(0)
    await unharmed()
  })

  it('giving sandboxes up under native calls never harms their cell', async () => {
    const { host, sandbox: mate, pid, unharmed } = await loadedHost(ofCell('struck'), 2048, 4)
    const mates = [mate, await host.open(ofCell('struck'))]
    for (let given = 0; given < byTier({ default: 5, full: 12 }); given++) {
      const sandbox = await host.open(ofCell('struck', { onInterrupt: 'reset' }))
      const abort = new AbortController()
      const calls = ['sleep 0.05', 'echo a | grep a | wc -c'].map((command) =>
        endOf(sandbox.execute(command, { signal: abort.signal })),
      )
      for (let turn = 0; turn < given % 4; turn++) await new Promise(setImmediate)
      if (given % 2 === 0) abort.abort()
      await sandbox.close()
      await Promise.all(calls)
      await until(() => host.stats().retired === 0)
    }
    expect(await Promise.all(mates.map((mate) => told(mate.execute('echo lives'))))).toEqual([
      'lives\n',
      'lives\n',
    ])
    expect([isThere(pid), mates.map(({ generation }) => generation)]).toEqual([true, [1, 1]])
    await unharmed()
  })
})
