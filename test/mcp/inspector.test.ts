import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { program } from '../fixtures/program.ts'
import { isFull } from '../support/tier.ts'
import { directoryOf, serve } from './helpers.ts'

const packageFile = createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector-cli/package.json')
/** It looks for its manifest from the directory it is started in. */
const build = join(dirname(packageFile), 'build')
const fixture = program('test/mcp/fixtures/run-mcp.ts')

/** What the inspector's command line shows of a server. */
async function inspect(...words: string[]) {
  const { stdout } = await promisify(execFile)(process.execPath, ['cli.js', '--cli', ...words], {
    cwd: build,
    timeout: 50_000,
  })
  return JSON.parse(stdout)
}

test.runIf(isFull)('the inspector lists, calls and reads over stdio', async () => {
  const source = await directoryOf({ 'a.txt': 'hello' })
  const options = {
    hostOptions: { isolation: 'shared' },
    sandbox: { binds: [{ source, destination: '/work', readonly: true }] },
  }
  const server = [process.execPath, fixture, JSON.stringify(options)]
  const { tools } = await inspect(...server, '--method', 'tools/list')
  expect(tools.map(({ name }: { readonly name: string }) => name)).toEqual([
    'shell',
    'read_file',
    'write_file',
    'edit_file',
    'list_files',
    'run_code',
  ])
  const asked = ['--method', 'tools/call', '--tool-name', 'shell', '--tool-arg', 'command=cat /work/a.txt']
  expect(await inspect(...server, ...asked)).toMatchObject({
    content: [{ type: 'text', text: 'hello' }],
    structuredContent: { exitCode: 0, stdout: 'hello' },
  })
  expect(await inspect(...server, '--method', 'resources/read', '--uri', 'sandbox:///work')).toMatchObject({
    contents: [{ uri: 'sandbox:///work', text: 'a.txt\t5' }],
  })
})

test.runIf(isFull)('the inspector calls over HTTP with a token, and is refused without', async () => {
  const server = await serve({ token: 'a-token-of-the-inspector' })
  const asked = ['--transport', 'http', '--method', 'tools/call', '--tool-name', 'shell', '--tool-arg']
  const token = ['--header', 'Authorization: Bearer a-token-of-the-inspector']
  expect(await inspect(server.url, ...asked, 'command=echo hi', ...token)).toMatchObject({
    structuredContent: { exitCode: 0, stdout: 'hi\n' },
  })
  await expect(inspect(server.url, ...asked, 'command=echo hi')).rejects.toThrow()
})
