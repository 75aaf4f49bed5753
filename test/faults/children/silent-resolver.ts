import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type ExecutionResult, SandboxError, ShellHost } from '../../../src/index.ts'
import { codesOf } from '../matrix/system-faults.ts'
import type { Subject, Words } from '../silent-resolver.test.ts'

/** A process whose resolver is asked, and answers nothing. */
const [address = '', subjects = ''] = process.argv.slice(2)
let questions = 0
const resolver = createSocket('udp4', () => questions++).bind(53, address)
await once(resolver, 'listening')

async function wordOf(call: Promise<ExecutionResult | undefined>): Promise<string> {
  try {
    const result = await call
    return result === undefined ? 'done' : `status ${result.exitCode} ${result.stdout.trim()}`.trim()
  } catch (error) {
    return error instanceof SandboxError ? codesOf(error) : `raw ${String(error)}`
  }
}

async function work([isolation, shell, limited]: Subject): Promise<Words> {
  const host = new ShellHost({ isolation })
  const config = { shell, allowedUrls: ['http://silent.example/'], onInterrupt: 'reset' } as const
  const [one, other] = await Promise.all([
    host.open(limited === undefined ? { ...config, timeout: 5 } : config),
    host.open(config),
  ])
  const request = 'curl -s http://silent.example/'
  const before = questions
  const [called, neighbour] = await Promise.all([
    wordOf(other.execute(request, { timeout: 0.5 })),
    wordOf(one.execute('echo neighbour')),
  ])
  const ended = await wordOf(one.execute(limited ?? request))
  const next = await wordOf(one.execute('echo next'))
  const pending = wordOf(other.execute(request))
  const closed = [await wordOf(other.close().then(() => undefined)), await pending]
  const left = wordOf(one.execute(limited ?? request))
  await host.close()
  return { asked: questions > before, called, neighbour, ended, next, closed, left: await left }
}

const list: readonly Subject[] = JSON.parse(subjects)
process.stdout.write(JSON.stringify(await Promise.all(list.map(work))))
// Look-ups that were given up hold a process up until the system gives them up.
process.kill(process.pid, 'SIGTERM')
