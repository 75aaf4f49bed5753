import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMcpServer, type McpServerOptions } from '../../src/mcp/index.ts'
import { call, connectInMemory, directoryOf, sharedHost, textOf } from './helpers.ts'

const both = ['changes', 'apply_changes'] as const

/** Which of the tools a client is offered. */
async function offered({ changeTools, sandbox }: McpServerOptions): Promise<string[]> {
  const { client } = await connectInMemory({ changeTools, sandbox })
  const { tools } = await client.listTools()
  return tools.map(({ name }) => name).filter((name) => both.some((one) => one === name))
}

test('are offered where they are allowed, and the sandbox has a bind that they are for', async () => {
  const source = await directoryOf({})
  const copy = { source, destination: '/copy', mode: 'copy' } as const
  const direct = { source, destination: '/direct' }
  const neither = [
    { source, destination: '/read', readonly: true },
    { source, destination: '/pass', mode: 'passthrough' },
  ] as const
  expect(await offered({ sandbox: { binds: [copy] } })).toEqual([])
  expect(await offered({ changeTools: both })).toEqual([])
  expect(await offered({ changeTools: both, sandbox: { binds: [...neither] } })).toEqual([])
  expect(await offered({ changeTools: both, sandbox: { binds: [direct] } })).toEqual(['changes'])
  expect(await offered({ changeTools: ['changes'], sandbox: { binds: [copy] } })).toEqual(['changes'])
  expect(await offered({ changeTools: ['apply_changes'], sandbox: { binds: [copy] } })).toEqual([
    'apply_changes',
  ])
  const ofBash = { shell: 'bash', binds: [copy, neither[0]] } as const
  expect(await offered({ changeTools: ['apply_changes', 'changes'], sandbox: ofBash })).toEqual([...both])
})

test('tell what changed, and write what is asked for to the host', async () => {
  const source = await directoryOf({ gone: 'x', shared: 'old' })
  const { client } = await connectInMemory({
    changeTools: both,
    sandbox: { binds: [{ source, destination: '/work', mode: 'copy' }] },
  })
  const none = await call(client, 'changes', {})
  expect([textOf(none), none.structuredContent]).toEqual(['(no changes)', { changes: [], truncated: false }])

  const command = 'cd /work; mkdir d; echo a > d/a; echo b > b; rm gone; echo new > shared'
  await call(client, 'shell', { command })
  expect(textOf(await call(client, 'changes', {})).split('\n')).toEqual([
    'added file /work/b',
    'added directory /work/d',
    'added file /work/d/a',
    'removed file /work/gone',
    'changed file /work/shared',
  ])
  const below = await call(client, 'changes', { path: '/work/d/' })
  expect(below.structuredContent).toEqual({
    changes: [
      { path: '/work/d', kind: 'directory', change: 'added' },
      { path: '/work/d/a', kind: 'file', change: 'added' },
    ],
    truncated: false,
  })

  await writeFile(join(source, 'shared'), "the host's")
  const applied = await call(client, 'apply_changes', { paths: ['/work/b', '/work/gone', '/work/shared'] })
  const kept = expect.stringMatching(/^\/work\/shared\./)
  expect(applied.structuredContent).toEqual({
    written: ['/work/b', '/work/shared'],
    removed: ['/work/gone'],
    conflicts: [{ path: '/work/shared', kept }],
    truncated: false,
  })
  expect(textOf(applied)).toMatch(
    /^2 paths written, 1 path removed\.\n\/work\/shared: the host had changed it too; /,
  )
  expect(JSON.stringify(applied)).not.toContain(source)
  expect(await readFile(join(source, 'shared'), 'utf8')).toBe('new\n')
  expect((await readdir(source)).filter((name) => name === 'd')).toEqual([])
})

test('ask which of several copies is meant, and refuse what is no copy', async () => {
  const source = await directoryOf({})
  const other = await directoryOf({})
  const { client } = await connectInMemory({
    changeTools: both,
    sandbox: {
      binds: [
        { source, destination: '/one', mode: 'copy' },
        { source: other, destination: '/two', mode: 'copy' },
      ],
    },
  })
  await call(client, 'shell', { command: 'echo 1 > /one/f; echo 2 > /two/f' })
  const unclear = await call(client, 'apply_changes', {})
  expect([unclear.isError, textOf(unclear)]).toEqual([true, expect.stringContaining('/one, /two')])
  expect(await call(client, 'apply_changes', { bind: '/tmp' })).toMatchObject({ isError: true })
  expect(await call(client, 'apply_changes', { bind: '/one', paths: ['/two/f'] })).toMatchObject({
    isError: true,
  })
  expect(await readdir(source)).toEqual([])
  expect((await call(client, 'apply_changes', { bind: '/two' })).structuredContent).toMatchObject({
    written: ['/two/f'],
  })
  expect([await readdir(source), await readdir(other)]).toEqual([[], ['f']])
})

test('have no name that another tool was given', () => {
  const options = { changeTools: both, tools: { names: { list_files: 'changes' } } }
  expect(() => createMcpServer(sharedHost(), options)).toThrow(
    expect.objectContaining({ code: 'INVALID_CONFIG', field: 'changeTools' }),
  )
})

test('give no more than one call should', async () => {
  const source = await directoryOf({})
  const { client } = await connectInMemory({
    changeTools: ['changes'],
    tools: { maxCharacters: 200 },
    sandbox: { binds: [{ source, destination: '/work', mode: 'copy' }] },
  })
  await call(client, 'shell', {
    command: 'cd /work; for i in 1 2 3 4 5 6 7 8 9; do echo > a-file-of-some-name-$i; done',
  })
  const result = await call(client, 'changes', {})
  expect(textOf(result).split('\n')).toEqual([
    ...[1, 2, 3, 4, 5].map((i) => `added file /work/a-file-of-some-name-${i}`),
    '[4 more: name a path.]',
  ])
  expect(result.structuredContent).toMatchObject({ changes: { length: 5 }, truncated: true })
})
