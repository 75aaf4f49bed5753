import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ClusterClient } from '../../src/cluster/index.ts'
import { runHere } from '../cli/run-here.ts'
import { type NodeProcess, startNode, token } from './node-process.ts'
import { type RedisProcess, startRedis } from './redis-process.ts'

let redis: RedisProcess
let data: string
let client: ClusterClient
let nodes: NodeProcess[]

beforeAll(async () => {
  redis = await startRedis()
  data = await mkdtemp(join(tmpdir(), 'cluster-'))
  const options = { redis: redis.url, data, lease: 3, hostOptions: { isolation: 'shared' } } as const
  nodes = await Promise.all([startNode(options), startNode(options)])
  client = await ClusterClient.connect({ redis: redis.url, token })
})

afterAll(async () => {
  await client.close()
  await Promise.all(nodes.map((node) => node.stop('SIGKILL')))
  await redis.stop()
  await rm(data, { recursive: true, force: true })
})

test('a job has its files, its input and its result', async () => {
  const result = await client.run('cat in - > out; cat out; exit 3', {
    files: { in: 'of a file\n' },
    stdin: new TextEncoder().encode('of the input\n'),
    collect: ['out'],
  })
  expect(result).toMatchObject({ exitCode: 3, stdout: 'of a file\nof the input\n' })
  expect(new TextDecoder().decode(result.outputFiles[0]?.content)).toBe('of a file\nof the input\n')
})

test('a job is refused by its typed error, and a job with a known id is not run again', async () => {
  await expect(client.run('true', { template: 'none' })).rejects.toMatchObject({ code: 'INVALID_CONFIG' })
  await expect(client.run('sleep 60', { timeout: 0.5 })).rejects.toMatchObject({ code: 'TIMEOUT' })
  const once = { id: 'nightly-1' }
  const first = await client.run('echo $RANDOM$RANDOM$RANDOM', once)
  expect((await client.run('echo $RANDOM$RANDOM$RANDOM', once)).stdout).toBe(first.stdout)
})

test('batch --cluster runs its lines as jobs, and tells what is wrong with a line', async () => {
  const path = join(data, 'jobs.jsonl')
  const lines = [
    {
      id: 'a',
      command: 'cat in > out; cat; exit 3',
      files: { in: 'x\n' },
      stdin: 'y\n',
      collect: ['out', 'none'],
    },
    { command: 'true', env: { A: '1' } },
    { command: 'true', collect: ['a/f', 'b/f'] },
    { command: 'true', template: 'none' },
  ]
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const { code, stdout } = await runHere(['batch', path, '--cluster', redis.url])
  expect(code).toBe(1)
  const results: unknown[] = stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
  expect(results).toMatchObject([
    { line: 1, id: 'a', exitCode: 3, stdout: 'y\n', files: { out: 'x\n' } },
    { line: 2, error: { code: 'BAD_LINE', message: expect.stringContaining('env is no field of a job') } },
    { line: 3, error: { code: 'BAD_LINE', message: expect.stringContaining('two paths of the name "f"') } },
    { line: 4, error: { code: 'INVALID_CONFIG' } },
  ])
  for (const [args, message] of [
    [['--cluster', 'redis'], '--cluster must be an address'],
    [['--cluster', redis.url, '--shell', 'bash'], '--shell is not for jobs of a cluster'],
    [['--template', 'x'], '--template is for jobs of a cluster'],
  ] as const) {
    const { code: status, stderr } = await runHere(['batch', path, ...args])
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)])
  }
})

test('each job of a batch has one result, also where a node is killed meanwhile', async () => {
  const jobs = Array.from({ length: 40 }, (_, index) => ({ command: `sleep 0.1; echo ${index}` }))
  const results: string[] = []
  const told: number[] = []
  const onProgress = ({ done }: { done: number }) => told.push(done)
  for await (const result of client.map(jobs, { concurrency: 16, ordered: false, onProgress })) {
    if (result.status === 'rejected') throw result.reason
    results.push(result.value.stdout.trim())
    if (results.length === 8) nodes[0]?.process.kill('SIGKILL')
  }
  expect(results.map(Number).sort((one, other) => one - other)).toEqual(jobs.map((_, index) => index))
  expect(told).toEqual(jobs.map((_, index) => index + 1))
}, 90_000)
