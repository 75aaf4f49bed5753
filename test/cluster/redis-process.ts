import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'

/** A Redis of a test, which keeps nothing on the disk. */
export interface RedisProcess {
  readonly url: string
  /** A connection of the test's own. */
  readonly redis: Redis
  /** Sends a signal to the server. */
  signal(signal: NodeJS.Signals): void
  /** Ends it, and starts it again with nothing. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Starts `redis-server` on a free port of loopback. */
export async function startRedis(): Promise<RedisProcess> {
  const directory = await mkdtemp(join(tmpdir(), 'redis-'))
  const port = await freePort()
  const options = [
    ['--port', String(port)],
    ['--bind', '127.0.0.1'],
    ['--save', ''],
    ['--appendonly', 'no'],
    ['--dir', directory],
  ].flat()
  const start = () => spawn('redis-server', options, { stdio: 'ignore' })
  let server: ChildProcess = start()
  const url = `redis://127.0.0.1:${port}`
  const redis = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: null })
  redis.on('error', () => undefined)
  await redis.ping()
  const end = async () => {
    const exited = once(server, 'exit')
    server.kill('SIGCONT')
    server.kill('SIGKILL')
    await exited
  }
  return {
    url,
    redis,
    signal: (signal) => void server.kill(signal),
    restart: async () => {
      await end()
      server = start()
      await redis.ping()
    },
    stop: async () => {
      redis.disconnect()
      await end()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('There is no free port.')
  return address.port
}
