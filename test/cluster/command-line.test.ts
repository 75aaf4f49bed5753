import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { ClusterClient } from '../../src/cluster/index.ts'
import { program } from '../fixtures/program.ts'
import { token } from './node-process.ts'
import { startRedis } from './redis-process.ts'

const main = program('src/cli/main.ts')
const docker = fileURLToPath(new URL('../../docker/', import.meta.url))

test('serve --cluster joins with its labels and its address, and a signal has it leave', async () => {
  const redis = await startRedis()
  onTestFinished(() => redis.stop())
  const data = await mkdtemp(join(tmpdir(), 'cluster-'))
  onTestFinished(() => rm(data, { recursive: true, force: true }))
  const options = ['--cluster', redis.url, '--cluster-name', 'mine', '--node-label', 'zone=a', '--data', data]
  const child = spawn(process.execPath, [main, 'serve', '--port', '0', '--isolation', 'worker', ...options], {
    env: { ...process.env, STRANDS_SHELL_SERVE_TOKEN: token },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const client = await ClusterClient.connect({ redis: redis.url, cluster: 'mine', token, patience: 30 })
  onTestFinished(() => client.close())
  const [node] = await client.nodes()
  expect(line).toBe(`Serving at ${node?.url}`)
  expect(node?.labels).toEqual({ zone: 'a' })
  const sandbox = await client.getOrOpen('session', { on: { zone: 'a' } })
  expect((await sandbox.execute('echo here')).stdout).toBe('here\n')
  child.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
  expect(await client.nodes()).toEqual([])
})

test('the script of the image starts a node with the options of the compose file', async () => {
  const compose = await readFile(join(docker, 'cluster.yaml'), 'utf8')
  const commands = [
    ...compose.matchAll(/command: \[sh, serve\.sh, (.*)\]\n {4}ports: \['127\.0\.0\.1:(\d+):7300'\]/g),
  ]
  expect(commands).toHaveLength(3)
  const redis = await startRedis()
  onTestFinished(() => redis.stop())
  const data = await mkdtemp(join(tmpdir(), 'cluster-'))
  onTestFinished(() => rm(data, { recursive: true, force: true }))
  const [, words = '', port] = commands[0] ?? []
  const options = words.split(', ').map((word) => word.replaceAll("'", ''))
  const child = spawn(
    'sh',
    [join(docker, 'serve.sh'), ...options.map((word) => word.replace('redis://redis:6379', redis.url))],
    {
      env: {
        ...process.env,
        SERVE_PROGRAM: `${process.execPath} ${main}`,
        SERVE_HOSTNAME: '127.0.0.1',
        SERVE_PORT: '0',
        SERVE_DATA: data,
        STRANDS_SHELL_SERVE_TOKEN: token,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  await once(createInterface({ input: child.stdout }), 'line')
  const client = await ClusterClient.connect({ redis: redis.url, token })
  onTestFinished(() => client.close())
  expect(await client.nodes()).toMatchObject([{ url: `http://127.0.0.1:${port}` }])
  child.kill('SIGTERM')
  await exited
  expect(await readFile(join(docker, 'Dockerfile'), 'utf8')).toMatch(/npm install .* ioredis@5 bullmq@6 /)
})

test('options of a node need a cluster', async () => {
  const child = spawn(process.execPath, [main, 'serve', '--advertise', 'http://node.example'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (piece) => {
    said += piece
  })
  expect((await once(child, 'exit'))[0]).toBe(2)
  expect(said).toContain('--advertise is for a node: name its --cluster, too.')
})
