import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import threads from 'node:worker_threads'
import type { ExecutionResult } from '../../src/index.ts'
import type { Plan } from '../action.ts'
import { sizeOf } from '../processes.ts'
import type { SoakHost } from '../shells/shell.ts'
import { demand } from '../violation.ts'
import { aloneAtRest, type Place, wordOf } from './shortage.ts'

/** How an opening is refused for want of something. */
const REFUSED = 'WORKER_LOST WORKER_FAILED'

/** Descriptors that a shortage takes at most. */
const MOST = 64

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

/** The process may reserve some more address space: too little for a worker, or enough for two. */
export const littleSpace: Plan<Place> = (random) => {
  const mebibytes = random.pick([512, 2048])
  return {
    text: `leave ${mebibytes} MiB of address space`,
    perform: (place) => duringShortage(place, () => limitSpace(mebibytes * 2 ** 20)),
  }
}

/**
 * Has openings meet a shortage while no actor acts. Each is refused as it is told to be, or has what it needs. When the shortage
 * is over, one opens.
 *
 * @param begin - gives what ends the shortage.
 */
function duringShortage(place: Place, begin: () => () => void): Promise<void> {
  const { context, level } = place
  return aloneAtRest(place, async () => {
    const fault = context.losses.announce({ reasons: ['WORKER_FAILED'] })
    const end = begin()
    let words: readonly string[]
    try {
      words = await Promise.all([wordOf(use(level.host)), wordOf(use(level.host))])
    } finally {
      end()
    }
    for (const word of words) {
      demand(word === 'done' || word === REFUSED, () => `an opening during a shortage came to ${word}`)
    }
    let last = ''
    // Closed shells give their threads back within two seconds.
    for (let tries = 0; tries < 100 && last !== 'done'; tries++) last = await wordOf(use(level.host))
    demand(last === 'done', () => `an opening after a shortage came to ${last}`)
    fault.over()
  })
}

/** Opens a sandbox, uses it and closes it. */
async function use(host: SoakHost): Promise<ExecutionResult> {
  const sandbox = await host.open()
  return sandbox.execute('[ "$(echo used)" = used ]').finally(() => sandbox.close())
}

/** The soft value of a limit of this process, as `/proc` names it. */
function limitOf(name: string): string {
  const [, value = ''] =
    new RegExp(`^${name}\\s+(\\w+)`, 'm').exec(readFileSync('/proc/self/limits', 'latin1')) ?? []
  return value
}

/** Sets the soft value of a limit of this process, as `prlimit` names it. */
function setLimit(name: string, value: string | number): void {
  execFileSync('prlimit', ['--pid', `${process.pid}`, `--${name}=${value}:`])
}

/** Opens files until so many further ones can be opened. */
function takeDescriptors(left: number): () => void {
  const before = limitOf('Max open files')
  const highest = Math.max(...readdirSync('/proc/self/fd').map(Number))
  setLimit('nofile', highest + MOST)
  const taken: number[] = []
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'))
  } catch {
    // There are no more.
  }
  for (const fd of taken.splice(0, left)) closeSync(fd)
  return () => {
    for (const fd of taken) closeSync(fd)
    setLimit('nofile', before)
  }
}

function limitSpace(left: number): () => void {
  const before = limitOf('Max address space')
  setLimit('as', sizeOf('self').reserved + left)
  return () => setLimit('as', before)
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
