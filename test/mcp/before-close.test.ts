import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type McpSandbox, serveHttp, serveStdio } from '../../src/mcp/index.ts'
import { within } from '../faults/helpers.ts'
import { call, connectOverHttp, directoryOf, serve, sharedHost, textOf, until } from './helpers.ts'

/** A host directory, and the config of a sandbox with a copy of it. */
async function copied() {
  const source = await directoryOf({})
  return { source, sandbox: { binds: [{ source, destination: '/work', mode: 'copy' }] } } as const
}

async function applyAll(sandbox: McpSandbox): Promise<void> {
  if ((await sandbox.changes()).changes.length > 0) await sandbox.applyChanges({ bind: '/work' })
}

test('what a client changed can be kept when it ends its session, and the client goes free meanwhile', async () => {
  const { source, sandbox } = await copied()
  const host = sharedHost()
  const seen: unknown[] = []
  const server = await serve({
    host,
    token: { alice: 'a-token-of-alice' },
    sandbox,
    beforeClose: async (one) => {
      seen.push([one.name, one.client, one.summary.binds[0]?.destination])
      await applyAll(one)
    },
  })
  const { client, transport } = await connectOverHttp(server.url, 'a-token-of-alice')
  await call(client, 'shell', { command: 'echo kept > /work/f' })
  await transport.terminateSession()
  await until(() => host.list().length === 0)
  expect(await readFile(join(source, 'f'), 'utf8')).toBe('kept\n')
  expect(seen).toEqual([['alice', 'alice', '/work']])
})

test('also when nothing used the sandbox, and a call that comes meanwhile gets a fresh one', async () => {
  const { source, sandbox } = await copied()
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let calls = 0
  const server = await serve({
    sandbox,
    idleTimeout: 0.2,
    beforeClose: async (one) => {
      calls += 1
      if (calls > 1) return
      await held
      await applyAll(one)
    },
  })
  const { client } = await connectOverHttp(server.url)
  await call(client, 'shell', { command: 'echo kept > /work/f' })
  await until(() => calls === 1)
  await expect(server.sandbox('session-1')?.changes()).rejects.toMatchObject({ code: 'CLOSED' })
  expect(textOf(await call(client, 'shell', { command: 'echo fresh' }))).toMatch(/^Note: .*fresh$/s)
  release()
  await server.close()
  expect([calls, await readFile(join(source, 'f'), 'utf8')]).toEqual([2, 'kept\n'])
})

test('a function that fails is told to the log, and holds nothing up; what was never used is not told', async () => {
  const lines: string[] = []
  const host = sharedHost()
  const server = await serveHttp({
    host,
    log: (line) => lines.push(line),
    beforeClose: () => {
      throw new Error('the disk is full\nat stack')
    },
  })
  const used = await connectOverHttp(server.url)
  await call(used.client, 'shell', { command: 'true' })
  await connectOverHttp(server.url)
  await within(60, server.close())
  expect(lines.filter((line) => line.includes('beforeClose'))).toEqual([
    'beforeClose failed for session-1: the disk is full',
  ])
  expect(host.list()).toEqual([])
})

test.each([serveHttp, serveStdio])('%o refuses what is no function', async (start) => {
  await expect(start({ beforeClose: 'apply' as never })).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
    field: 'beforeClose',
  })
})
