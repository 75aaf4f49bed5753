import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import threads from 'node:worker_threads'
import { SandboxError, SessionLoss } from '../../src/index.ts'
import type { Plan } from '../action.ts'
import type { SoakContext } from '../context.ts'
import type { Level } from '../level.ts'
import { alone } from '../shared-lock.ts'
import type { SoakHost } from '../shells/shell.ts'
import { until } from '../until.ts'
import { demand } from '../violation.ts'

/** How an opening is refused for want of something. */
const REFUSED = 'WORKER_LOST WORKER_FAILED'

/** Descriptors that a shortage takes at most. */
const MOST = 64

/** What a shortage acts on. */
interface Place {
  readonly context: SoakContext
  readonly level: Level
}

/** The process may open a few further files, or none. */
export const fewDescriptors: Plan<Place> = (random) => {
  const left = random.pick([0, 4, 12, 24])
  return {
    text: `leave ${left} descriptors`,
    perform: (place) => duringShortage(place, () => takeDescriptors(left)),
  }
}

/** The system starts no further thread of this process. */
export const noThreads: Plan<Place> = () => ({
  text: 'start no thread',
  perform: (place) => duringShortage(place, refuseThreads),
})

/**
 * Has openings meet a shortage while no actor acts. Each is refused as it is told to be, or has what it needs. When the shortage
 * is over, one opens.
 *
 * @param begin - gives what ends the shortage.
 */
function duringShortage({ context, level }: Place, begin: () => () => void): Promise<void> {
  const locks = [context.workers, ...[...context.levels.values()].map(({ lock }) => lock), context.gauges]
  return alone(locks, async () => {
    await until(
      () => isAtRest(context),
      60,
      () => 'abandoned commands still run',
    )
    const fault = context.losses.announce({ reasons: ['WORKER_FAILED'] })
    const end = begin()
    let words: readonly string[]
    try {
      words = await Promise.all([use(level.host), use(level.host)])
    } finally {
      end()
    }
    for (const word of words) {
      demand(word === 'done' || word === REFUSED, () => `an opening during a shortage came to ${word}`)
    }
    let last = ''
    // Closed shells give their threads back within two seconds.
    for (let tries = 0; tries < 100 && last !== 'done'; tries++) last = await use(level.host)
    demand(last === 'done', () => `an opening after a shortage came to ${last}`)
    fault.over()
  })
}

/** Opens a sandbox, uses it and closes it. How that went. */
async function use(host: SoakHost): Promise<string> {
  try {
    const sandbox = await host.open()
    const { stdout } = await sandbox.execute('echo used').finally(() => sandbox.close())
    return stdout === 'used\n' ? 'done' : `output ${stdout}`
  } catch (error) {
    if (!(error instanceof SandboxError)) return String(error)
    return error.cause instanceof SessionLoss ? `${error.code} ${error.cause.code}` : error.code
  }
}

function isAtRest({ hosts }: SoakContext): boolean {
  return hosts.every((host) => {
    const { retired, queued, running, waiting } = host.stats()
    return retired + queued + running + waiting === 0
  })
}

/** Opens files until so many further ones can be opened. */
function takeDescriptors(left: number): () => void {
  const [, before = ''] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? []
  const highest = Math.max(...readdirSync('/proc/self/fd').map(Number))
  const limit = (most: string) => execFileSync('prlimit', ['--pid', `${process.pid}`, `--nofile=${most}:`])
  limit(String(highest + MOST))
  const taken: number[] = []
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'))
  } catch {
    // There are no more.
  }
  for (const fd of taken.splice(0, left)) closeSync(fd)
  return () => {
    for (const fd of taken) closeSync(fd)
    limit(before)
  }
}

function refuseThreads(): () => void {
  const { Worker } = threads
  threads.Worker = new Proxy(Worker, {
    construct: () => {
      throw Object.assign(new Error('EAGAIN'), { code: 'ERR_WORKER_INIT_FAILED' })
    },
  })
  return () => {
    threads.Worker = Worker
  }
}
