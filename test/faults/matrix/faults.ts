import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ExecuteOptions, HostedConfig, Isolation, ShellHostOptions } from '../../../src/index.ts'
import type { TriggeredFault } from '../../fixtures/triggered-faults.ts'
import type { MomentName } from './moments.ts'
import { type Scene, trigger, wordOf } from './stage.ts'

/** How a fault strikes the scenes of one level: `begin` starts a scene's clock, and resolves when it has ended. */
type Strike = (scenes: readonly Scene[], begin: (scene: Scene) => Promise<void>) => Promise<unknown>

/** One fault, and what is promised of it. */
export interface Fault {
  readonly name: string
  readonly levels: readonly Isolation[]
  /** Where it cannot strike, and why. */
  readonly excluded?: string
  /** What the calls that it struck reject with: a code, and that of its cause. None: it takes no session. */
  readonly error?: string
  /** What goes with it: neighbours outside of that keep their sessions. */
  readonly takes: 'nothing' | 'session' | 'worker' | 'cell'
  /** What its callers are told at the latest: seconds, on an idle machine, and how that reads. */
  readonly told: { readonly seconds: number; readonly when: string }
  /** Outcomes that are not those of every fault of its kind. */
  readonly outcomes?: Readonly<Partial<Record<MomentName, string>>>
  /** The moments that it can strike; all, where it does not say. */
  readonly only?: readonly MomentName[]
  /** True where filling the heaps of its workers must not take gigabytes. */
  readonly smallHeaps?: boolean
  readonly host?: ShellHostOptions
  readonly opener?: ShellHostOptions
  readonly config?: HostedConfig
  readonly call?: ExecuteOptions
  readonly strike: Strike
}

const atOnce = { seconds: 0.5, when: 'at once' }
const everywhere = ['worker', 'shared', 'process'] as const
const inCells = {
  levels: ['process'],
  excluded: 'under `worker` and `shared`: there is no cell',
  takes: 'cell',
} as const
const cellExited = { ...inCells, error: 'WORKER_LOST CELL_EXITED' } as const

/** Has a fault strike every scene by itself. */
const each =
  (fault: TriggeredFault): Strike =>
  (scenes, begin) =>
    Promise.all(
      scenes.map((scene) => {
        const ended = begin(scene)
        trigger(scene, fault)
        return ended
      }),
    )

/** Has a fault strike one scene of each host, and so all that share a cell with it. */
const oneOfEach =
  (fault: TriggeredFault): Strike =>
  (scenes, begin) => {
    const ends = scenes.map(begin)
    const firsts = new Map(scenes.map((scene) => [scene.host, scene]))
    for (const scene of firsts.values()) trigger(scene, fault)
    return Promise.all(ends)
  }

/** Sends a signal to every cell that has not ended. */
function signal(scenes: readonly Scene[], name: NodeJS.Signals): void {
  for (const pid of new Set(scenes.map(({ pid }) => pid))) {
    if (pid !== undefined && existsSync(`/proc/${pid}`)) process.kill(pid, name)
  }
}

const signalled =
  (name: NodeJS.Signals): Strike =>
  (scenes, begin) => {
    const ends = scenes.map(begin)
    signal(scenes, name)
    return Promise.all(ends)
  }

/** The timeout of calls whose cell stands still: seconds. */
const stoppedTimeout = 0.3

/** Stops every cell until the timeout of the calls has passed, that of the last one too. */
const stopped: Strike = async (scenes, begin) => {
  signal(scenes, 'SIGSTOP')
  const ends = scenes.map(begin)
  await Promise.all([ends[scenes.findIndex(({ id }) => id === 'execute')], sleep(stoppedTimeout * 1000)])
  for (const scene of scenes) trigger(scene, 'release')
  signal(scenes, 'SIGCONT')
  await Promise.all(ends)
}

/** Gives calls up that never end, where none is pending: their commands run on. */
const endless: Strike = (scenes, begin) =>
  Promise.all(
    scenes.map(async (scene) => {
      await (scene.resting && wordOf(scene.resting.execute('fault hold', { timeout: 0.1 })))
      await begin(scene)
    }),
  )

/** Blocks the threads of calls that are held, and gives calls of sandboxes up whose thread is blocked at rest. */
const blocked: Strike = (scenes, begin) =>
  Promise.all(
    scenes.map(async (scene) => {
      trigger(scene, 'block')
      await (scene.resting && wordOf(scene.resting.execute('fault hold', { timeout: 0.1 })))
      await begin(scene)
    }),
  )

/** Blocks the thread that all scenes share, by the one that runs a command. */
const oneBlocked: Strike = (scenes, begin) => {
  const ends = scenes.map(begin)
  const culprit = scenes.find(({ id }) => id === 'execute')
  if (culprit === undefined) throw new Error('No scene runs a command.')
  trigger(culprit, 'block')
  return Promise.all(ends)
}

/** Faults that strike every engine. */
const common: readonly Fault[] = [
  {
    name: 'worker throws',
    levels: everywhere,
    error: 'WORKER_LOST WORKER_FAILED',
    takes: 'worker',
    told: atOnce,
    strike: each('throw'),
  },
  {
    name: 'worker exits',
    levels: everywhere,
    error: 'WORKER_LOST WORKER_EXITED',
    takes: 'worker',
    told: atOnce,
    strike: each('exit'),
  },
  {
    name: 'worker runs out of heap',
    levels: everywhere,
    error: 'MEMORY_LIMIT HEAP_EXHAUSTED',
    takes: 'worker',
    told: { seconds: 3, when: 'when its heap is full' },
    smallHeaps: true,
    strike: each('heap'),
  },
  { name: 'cell SIGKILL', ...cellExited, told: atOnce, strike: signalled('SIGKILL') },
  { name: 'cell SIGSEGV', ...cellExited, told: atOnce, strike: signalled('SIGSEGV') },
  {
    ...inCells,
    name: "cell SIGSTOP, longer than the call's timeout",
    takes: 'nothing',
    told: { seconds: 1.5, when: 'at its timeout; the rest when the cell goes on' },
    call: { timeout: stoppedTimeout },
    outcomes: { execute: 'TIMEOUT', drain: 'TIMEOUT, drained' },
    strike: stopped,
  },
  {
    ...inCells,
    name: 'cell out of memory',
    error: 'MEMORY_LIMIT CELL_MEMORY',
    told: { seconds: 2, when: '0.1 s over `maxCellMemory`' },
    host: { maxCellMemory: 2 ** 29 },
    strike: oneOfEach('bloat'),
  },
  {
    ...cellExited,
    name: 'cell closes its channel',
    told: { seconds: 1.5, when: 'after 1 s' },
    strike: oneOfEach('close-pipe'),
  },
]

const endlessCommand = {
  name: 'engine command that never ends',
  levels: everywhere,
  excluded: 'file operations: they are no commands',
  error: 'WORKER_LOST DEADLINE_IGNORED',
  told: { seconds: 6, when: 'at `timeout` + 2 s' },
  config: { timeout: 3 },
  opener: { openTimeout: 4 },
  only: ['open', 'execute', 'stream half-read', 'close', 'drain', 'queued call', 'queued open', 'idle'],
  outcomes: { open: 'HOST_SATURATED' },
} as const

/** Whether a fault is one of what every engine has: of a worker or a cell. */
export function isCommon(fault: Fault): boolean {
  return common.includes(fault)
}

/** The faults that strike Strands Shell. */
export const strandsFaults: readonly Fault[] = [
  ...common,
  {
    name: 'engine panic',
    levels: everywhere,
    excluded: 'opening: no command runs yet',
    error: 'WORKER_LOST ENGINE_PANIC',
    takes: 'session',
    told: atOnce,
    only: [
      'execute',
      'stream half-read',
      'file write',
      'file read',
      'close',
      'drain',
      'queued call',
      'queued open',
      'idle',
    ],
    strike: each('panic'),
  },
  { ...endlessCommand, takes: 'session', strike: endless },
]

/** The moments of a worker whose thread one of them blocks. */
const besideBlocked = ['open', 'execute', 'stream half-read', 'file write', 'file read', 'idle'] as const

/** The faults that strike bash. Its commands end with their thread. */
export const bashFaults: readonly Fault[] = [
  ...common,
  // Each in a worker of its own: what else the worker has is lost with it.
  {
    ...endlessCommand,
    takes: 'worker',
    host: { sandboxesPerWorker: 1 },
    strike: blocked,
  },
  {
    name: "a neighbour's command that never ends",
    levels: ['shared'],
    excluded:
      'under `worker` and `process`: no neighbour shares the worker; calls with a time limit of their own',
    error: 'WORKER_LOST WORKER_EXITED',
    takes: 'worker',
    told: { seconds: 3.5, when: '2 s after the neighbour gave it up' },
    call: { timeout: 0.3 },
    only: besideBlocked,
    // The neighbour itself.
    outcomes: { execute: 'TIMEOUT' },
    strike: oneBlocked,
  },
]

/** The disk of the engine's cache becomes full, by this function, while sandboxes are open. */
export function cacheFills(fill: () => void): Fault {
  return {
    name: "disk of the engine's cache full, later",
    levels: everywhere,
    takes: 'nothing',
    told: atOnce,
    strike: (scenes, begin) => {
      fill()
      return each('release')(scenes, begin)
    },
  }
}
