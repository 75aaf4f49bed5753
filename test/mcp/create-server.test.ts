import { McpError } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ShellHost } from '../../src/index.ts'
import { createMcpServer } from '../../src/mcp/index.ts'
import {
  call,
  cancelUnderWay,
  connectInMemory,
  directoryOf,
  sharedHost,
  textOf,
  until,
  workThrough,
} from './helpers.ts'

describe('a session', () => {
  test('lets an agent write a file, read it, be refused, and end', async () => {
    const { client, host } = await connectInMemory()
    await workThrough(client, 'in memory')
    expect(host.list()).toHaveLength(1)
    await client.close()
    await until(() => host.list().length === 0)
  })

  test('has the shell of its config, and tells the client which', async () => {
    const { client } = await connectInMemory({ sandbox: { shell: 'bash', cwd: '/work' } })
    const { tools } = await client.listTools()
    expect(tools.find(({ name }) => name === 'shell')?.description).toContain('Runs a command in bash')
    const { structuredContent } = await call(client, 'shell', {
      command: 'list=(a b); [[ -d /work ]] && echo "$list $PWD"',
    })
    expect(structuredContent).toMatchObject({ exitCode: 0, stdout: 'a /work\n' })
  })

  test('opens its sandbox at the first call', async () => {
    const { client, host } = await connectInMemory({ name: 'mine', version: '7.0.0' })
    expect(client.getServerVersion()).toMatchObject({ name: 'mine', version: '7.0.0' })
    await client.listTools()
    expect(host.stats().calls).toBe(0)
    expect(host.list()).toEqual([])
    await call(client, 'shell', { command: 'true' })
    expect(host.list()).toHaveLength(1)
  })

  test('has the defaults of its host', async () => {
    const host = new ShellHost({ isolation: 'shared', defaults: { env: { FROM: 'the host' } } })
    onTestFinished(() => host.close())
    const { client } = await connectInMemory({ sandbox: { timeout: 9 } }, host)
    expect(textOf(await call(client, 'shell', { command: 'echo $FROM' }))).toContain('the host')
  })

  test('has a sandbox that no other session has', async () => {
    const host = sharedHost()
    const [one, two] = await Promise.all([connectInMemory({}, host), connectInMemory({}, host)])
    await call(one.client, 'shell', { command: 'echo secret > /tmp/f' })
    expect(textOf(await call(two.client, 'shell', { command: 'cat /tmp/f' }))).toContain('no such file')
  })

  test('closes its sandbox when it is idle, and says at the next call that it is a fresh one', async () => {
    const { client, host } = await connectInMemory({ idleTimeout: 0.2 })
    await call(client, 'shell', { command: 'echo here > /tmp/f' })
    await until(() => host.list().length === 0)
    const after = await call(client, 'shell', { command: 'cat /tmp/f' })
    expect(textOf(after)).toMatch(/^Note: the sandbox of this session was closed/)
    expect(after.structuredContent).toMatchObject({ exitCode: 1 })
    expect(textOf(await call(client, 'shell', { command: 'echo again' }))).toBe('again')
  })

  test('is not idle while a command runs', async () => {
    const { client } = await connectInMemory({ idleTimeout: 0.2 })
    await call(client, 'shell', { command: 'true' })
    const result = await call(client, 'shell', { command: 'cd /tmp; sleep 1; pwd' })
    expect(result.structuredContent).toMatchObject({ exitCode: 0, stdout: '/tmp\n' })
  })
})

describe('tools', () => {
  test('are annotated, and describe their input and output', async () => {
    const { client } = await connectInMemory()
    const { tools } = await client.listTools()
    const annotations = Object.fromEntries(tools.map((tool) => [tool.name, tool.annotations]))
    expect(annotations['read_file']).toMatchObject({ readOnlyHint: true, destructiveHint: false })
    expect(annotations['shell']).toMatchObject({ readOnlyHint: false, destructiveHint: true })
    for (const tool of tools) {
      expect(tool.title).toMatch(/\w/)
      expect(tool.inputSchema.properties).not.toEqual({})
      expect(tool.outputSchema?.type).toBe('object')
    }
  })

  test('go by the names they are given, and are those that were asked for', async () => {
    const { client } = await connectInMemory({ tools: { include: ['shell'], names: { shell: 'sh' } } })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['sh'])
    expect(textOf(await call(client, 'sh', { command: 'echo hi' }))).toBe('hi')
  })

  test('answer arguments of the wrong shape with a failure, and the session goes on', async () => {
    const { client } = await connectInMemory()
    for (const given of [{}, { command: 3 }, { command: ['ls'] }, { command: 'ls', timeout: 'long' }]) {
      const result = await call(client, 'shell', given)
      expect(result.isError, JSON.stringify(given)).toBe(true)
      expect(textOf(result)).toMatch(/command|timeout/)
    }
    expect(await call(client, 'no_such_tool', {})).toMatchObject({ isError: true })
    expect(textOf(await call(client, 'shell', { command: 'echo alive' }))).toBe('alive')
  })

  test('stop waiting when the request is cancelled', async () => {
    const { client, host } = await connectInMemory({ sandbox: { onInterrupt: 'reset' } })
    await cancelUnderWay(client, host)
  })

  test('tell of their progress while a command runs', async () => {
    const { client } = await connectInMemory()
    const told: unknown[] = []
    const command = { name: 'shell', arguments: { command: 'sleep 2.5; echo done' } }
    const result = await client.callTool(command, undefined, {
      onprogress: (progress) => told.push(progress),
    })
    expect(result['structuredContent']).toMatchObject({ stdout: 'done\n' })
    expect(told.slice(0, 2)).toEqual([
      { progress: 1, message: 'shell: running for 1 s' },
      { progress: 2, message: 'shell: running for 2 s' },
    ])
  })
})

describe('resources', () => {
  async function bound() {
    const source = await directoryOf({
      'a b.txt': 'text of the host',
      'raw.bin': Buffer.from([0xff, 0xfe, 0]),
    })
    return connectInMemory({
      sandbox: {
        binds: [
          { source, destination: '/work', mode: 'copy' },
          { source, destination: '/docs', readonly: true },
        ],
      },
    })
  }

  test('are the bound directories, with a template for what is below', async () => {
    const { client, host } = await bound()
    const { resources } = await client.listResources()
    expect(resources.map(({ uri, mimeType }) => ({ uri, mimeType }))).toEqual([
      { uri: 'sandbox:///work', mimeType: 'inode/directory' },
      { uri: 'sandbox:///docs', mimeType: 'inode/directory' },
    ])
    expect(resources[0]?.description).toContain('a copy')
    expect(resources[1]?.description).toContain('read-only')
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'sandbox:///work/{+path}',
      'sandbox:///docs/{+path}',
    ])
    expect(host.list()).toEqual([])
  })

  test.each([
    ['deep', '/a'.repeat(60_000)],
    ['long', `/${'a'.repeat(100_000)}`],
  ])('are refused at once where their path is too %s', async (_, path) => {
    const { client, host } = await bound()
    const start = performance.now()
    await expect(client.readResource({ uri: `sandbox:///work${path}` })).rejects.toThrow(/longer than/)
    expect(performance.now() - start).toBeLessThan(5_000)
    expect(host.list().filter(({ pending }) => pending > 0)).toEqual([])
  })

  test('are read through the sandbox', async () => {
    const { client } = await bound()
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0]
    expect(await read('sandbox:///work')).toEqual({
      uri: 'sandbox:///work',
      mimeType: 'inode/directory',
      text: 'a b.txt\t16\nraw.bin\t3',
    })
    expect(await read('sandbox:///docs/a%20b.txt')).toMatchObject({
      mimeType: 'text/plain',
      text: 'text of the host',
    })
    expect(await read('sandbox:///work/raw.bin')).toMatchObject({
      mimeType: 'application/octet-stream',
      blob: '//4A',
    })
    await call(client, 'shell', { command: 'mkdir -p /work/sub; echo mine > /work/sub/new' })
    expect(await read('sandbox:///work/sub')).toMatchObject({ text: 'new\t5' })
    expect(await read('sandbox:///work/sub/new')).toMatchObject({ text: 'mine\n' })
  })

  test('are nothing outside of the bound directories', async () => {
    const { client } = await bound()
    await call(client, 'shell', { command: 'echo s > /tmp/s; ln -s /tmp/s /work/link; ln -s /tmp /work/dir' })
    for (const uri of [
      'sandbox:///tmp/s',
      'sandbox:///work/../tmp/s',
      'sandbox:///work/%2e%2e/tmp/s',
      'sandbox:///work/%2E%2E%2Ftmp%2Fs',
      'sandbox:///work/..%2ftmp/s',
      'sandbox:///work/./a%20b.txt%00',
      'sandbox:///workshop/s',
      'sandbox:///work/link',
      'sandbox:///work/dir/s',
      'sandbox:///work/%ff',
      'sandbox:///work/a%20b.txt?x',
      'sandbox://elsewhere/work/a%20b.txt',
      'file:///work/a%20b.txt',
    ]) {
      await expect(client.readResource({ uri }), uri).rejects.toThrow(McpError)
    }
    await expect(client.readResource({ uri: 'sandbox:///work/none' })).rejects.toMatchObject({ code: -32002 })
  })

  test('are not there where nothing is bound', async () => {
    const { client } = await connectInMemory()
    expect(client.getServerCapabilities()?.resources).toBeUndefined()
  })
})

describe('options', () => {
  test.each([
    [{ idleTimeout: 0 }, 'idleTimeout'],
    [{ idleTimeout: Number.NaN }, 'idleTimeout'],
    [{ name: '' }, 'name'],
    [{ sandbox: { timeout: -1 } }, 'timeout'],
    [{ tools: { maxCharacters: 1 } }, 'maxCharacters'],
  ])('%j is refused by its name', (options, field) => {
    const host = sharedHost()
    expect(() => createMcpServer(host, options)).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG', field }),
    )
  })
})
