import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { RemoteSandbox } from '../../src/remote/index.ts'
import { program } from '../fixtures/program.ts'
import { until } from '../mcp/helpers.ts'
import { temporaryDirectory } from '../service/helpers.ts'
import { noTerminal, Terminal } from './terminal.ts'

const folder = fileURLToPath(new URL('../../docker/', import.meta.url))

interface Served {
  readonly child: ChildProcess
  readonly url: string
  readonly output: () => string
}

/** Starts the service with the script of the image. */
async function start(
  env: Readonly<Record<string, string>>,
  options: readonly string[] = [],
): Promise<Served> {
  const child = spawn('sh', [join(folder, 'serve.sh'), ...options], {
    env: {
      ...process.env,
      SERVE_PROGRAM: `${process.execPath} ${program('src/cli/main.ts')}`,
      SERVE_HOSTNAME: '127.0.0.1',
      SERVE_PORT: '0',
      ...env,
    },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (piece) => {
    output += piece
  })
  child.stderr.on('data', (piece) => {
    output += piece
  })
  await until(() => output.includes('Serving at ') || child.exitCode !== null)
  return { child, url: /Serving at (\S+)/.exec(output)?.[1] ?? output, output: () => output }
}

test('the script of the image serves, is healthy, tells its token to its user alone, and stops in order', async () => {
  const data = await temporaryDirectory()
  const { child, url, output } = await start({ SERVE_DATA: data })
  const token = (await readFile(join(data, 'token'), 'utf8')).trim()
  expect((await stat(join(data, 'token'))).mode & 0o777).toBe(0o600)
  const health = spawn(process.execPath, [join(folder, 'health.mjs')], {
    env: { ...process.env, SERVE_PORT: new URL(url).port },
  })
  expect(await once(health, 'exit')).toEqual([0, null])
  const sandbox = await RemoteSandbox.getOrOpen('a', {}, { url, token })
  expect((await sandbox.execute('x=kept; echo hello')).stdout).toBe('hello\n')
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(output()).not.toContain(token)
  const again = await start({ SERVE_DATA: data })
  const woken = await RemoteSandbox.getOrOpen('a', {}, { url: again.url, token })
  expect((await woken.execute('echo $x')).stdout).toBe('kept\n')
})

test.skipIf(noTerminal !== undefined)('a terminal shows the address of the page with the token', async () => {
  const data = await temporaryDirectory()
  const terminal = await Terminal.start(['serve', '--port', '0', '--data', data])
  onTestFinished(() => terminal.close())
  const screen = await terminal.until(/The token is in/)
  const token = (await readFile(join(data, 'token'), 'utf8')).trim()
  expect(screen).toMatch(new RegExp(`The page: http://127\\.0\\.0\\.1:\\d+/#token=${token}`))
})

test('a file of tokens and a template are taken, and faults in them are told without what they hold', async () => {
  const data = await temporaryDirectory()
  const token = 'a-token-in-a-file-of-tokens'
  const tokens = join(data, 'tokens.json')
  await writeFile(tokens, JSON.stringify({ tokens: [{ name: 'agents', token, labels: { tenant: 'acme' } }] }))
  await writeFile(join(data, 'strands.json'), JSON.stringify({ shell: 'strands' }))
  const options = ['--template', `fast=${join(data, 'strands.json')}`]
  const { url } = await start({ SERVE_DATA: data, SERVE_TOKENS: tokens }, options)
  const sandbox = await RemoteSandbox.open({ template: 'fast' }, { url, token })
  expect(await sandbox.info()).toMatchObject({ shell: 'strands', labels: { tenant: 'acme' } })
  await writeFile(tokens, JSON.stringify({ tokens: [{ name: 'agents', token, scopes: 'all' }] }))
  const { child, output } = await start({ SERVE_DATA: data, SERVE_TOKENS: tokens })
  await until(() => child.exitCode !== null)
  expect([child.exitCode, output()]).toEqual([2, expect.stringContaining('tokens[0].scopes')])
  expect(output()).not.toContain(token)
})

test('the image runs as no root, is read-only in compose, and is checked for its health', async () => {
  const file = await readFile(join(folder, 'Dockerfile'), 'utf8')
  const compose = await readFile(join(folder, 'compose.yaml'), 'utf8')
  for (const line of [
    'USER node',
    'HEALTHCHECK',
    'CMD ["sh", "serve.sh"]',
    'COPY docker/serve.sh docker/health.mjs',
  ])
    expect(file).toContain(line)
  for (const line of ['read_only: true', 'cap_drop: [ALL]', 'user: node', 'dockerfile: docker/Dockerfile'])
    expect(compose).toContain(line)
})
