import type { HostedSandbox, Isolation, ShellHost } from '../../../src/index.ts'
import { isFull } from '../../support/tier.ts'
import { until, within } from '../basics.ts'
import type { MatrixEngine } from './engines.ts'
import type { Fault } from './faults.ts'
import { type MomentName, momentNames, moments, withOwnHost } from './moments.ts'
import { smallHeapCell, smallHeaps } from './small-heaps.ts'
import { type Scene, Stage, trigger, wordOf } from './stage.ts'

export const levels: readonly Isolation[] = ['worker', 'shared', 'process']

/** What came of one fault at one level in one moment. */
export interface MomentResult {
  /** How what was under way ended. */
  readonly outcome: string
  /** The session that two calls made afterwards found, or why they did not. */
  readonly again: readonly string[]
  /** What the host's events told of the sandbox. */
  readonly events: readonly string[]
  /** Milliseconds from the fault to the end of what was under way. */
  readonly milliseconds: number
}

/** What came of one fault at one level. */
export interface GroupResult {
  readonly moments: Readonly<Partial<Record<MomentName, MomentResult>>>
  /** Sessions outside of what the fault takes, afterwards. */
  readonly neighbour: string
  /** How opening one more sandbox went. */
  readonly further: string
  /** What the hosts still have, once they are closed and no native call runs. */
  readonly left: unknown
}

/** The moments in which a fault can strike. */
export function momentsOf({ only }: Pick<Fault, 'only'>): readonly MomentName[] {
  return only ?? momentNames
}

/**
 * The moments in which a fault strikes at a level in this tier. In the default tier these are a command and a share of the
 * others: faults, levels and engines take turns.
 */
export function struckMoments(
  { faults, turn: first }: MatrixEngine,
  fault: Fault,
  level: Isolation,
): readonly MomentName[] {
  const all = momentsOf(fault)
  const turns = Math.min(all.length, 8)
  const turn = first * 4 + Math.max(0, faults.indexOf(fault)) + levels.indexOf(level)
  return all.filter((name, index) => isFull || name === 'execute' || (index + turn) % turns === 0)
}

/** Has a fault strike at one level, in each of its moments at the same time. The directory is there, empty. */
export async function runGroup(
  engine: MatrixEngine,
  fault: Fault,
  level: Isolation,
  directory: string,
): Promise<GroupResult> {
  const names = struckMoments(engine, fault, level)
  const stage = makeStage(engine, fault, level, names, directory)
  const largeHeaps = fault.smallHeaps ? smallHeaps() : undefined
  try {
    const ready = await within(120, Promise.all(names.map((name) => moments[name](stage, name))))
    // It opens after all that the fault takes, and before the time limits of calls begin.
    const neighbour = await settle(stage, fault.takes === 'cell' ? stage.makeHost() : stage.main)
    const scenes = await within(120, Promise.all(ready.map((begin) => begin())))
    const ends = await within(120, watched(stage, strike(fault, scenes)))
    const results = await Promise.all(scenes.map((scene) => resultOf(stage, scene, ends.get(scene))))
    return {
      moments: Object.fromEntries(names.map((name, index) => [name, results[index]])),
      neighbour: neighbour.generation === 1 ? await lookOf(neighbour) : 'lost',
      further: await wordOf(stage.open(stage.main).then((sandbox) => sandbox.execute('true'))),
      left: await leave(stage, scenes),
    }
  } finally {
    largeHeaps?.()
    await stage.close()
  }
}

function makeStage(
  engine: MatrixEngine,
  { takes, smallHeaps, ...fault }: Fault,
  level: Isolation,
  names: readonly MomentName[],
  directory: string,
): Stage {
  const { config, opener, call } = fault
  // With the sandboxes of its moments one worker is full: the neighbours come into another one.
  const sharers = names.filter((name) => !withOwnHost.has(name) && (name !== 'open' || opener === undefined))
  const host = {
    ...(takes === 'worker' && level === 'shared' ? { sandboxesPerWorker: sharers.length } : {}),
    ...(smallHeaps ? { cellUrl: smallHeapCell(directory) } : {}),
    ...fault.host,
  }
  return new Stage({ engine, level, directory, config, host, opener, call })
}

interface End {
  readonly outcome: string
  readonly milliseconds: number
}

async function strike({ strike }: Fault, scenes: readonly Scene[]): Promise<ReadonlyMap<Scene, End>> {
  const ends = new Map<Scene, End>()
  const begin = async (scene: Scene) => {
    scene.begin?.()
    const start = performance.now()
    const outcome = await scene.end()
    ends.set(scene, { outcome, milliseconds: performance.now() - start })
  }
  await strike(scenes, begin)
  return ends
}

/** Has the hosts tell their figures all along, as those of a service do. */
async function watched<T>({ hosts }: Stage, work: Promise<T>): Promise<T> {
  const timer = setInterval(() => hosts.map((host) => host.stats()), 50)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}

/** A sandbox with a file in its session. */
async function settle(stage: Stage, host: ShellHost): Promise<HostedSandbox> {
  const sandbox = await stage.open(host)
  await sandbox.execute('echo kept > /tmp/mark')
  return sandbox
}

/** What a call finds of the session that {@link settle} made: its file, none, or an error. */
async function lookOf(sandbox: HostedSandbox): Promise<string> {
  let found = ''
  const word = await wordOf(
    within(60, sandbox.execute('cat /tmp/mark || echo fresh')).then(({ stdout }) => {
      found = stdout.trim()
    }),
  )
  return word === 'done' ? found : word
}

async function resultOf(stage: Stage, scene: Scene, end: End | undefined): Promise<MomentResult> {
  if (end === undefined) throw new Error(`The fault has not struck ${scene.id}.`)
  const again: string[] = []
  const sandbox = await scene.again()
  if (sandbox !== undefined) for (let call = 0; call < 2; call++) again.push(await lookOf(sandbox))
  return { ...end, again, events: stage.events.get(scene.id) ?? [] }
}

/** Closes the hosts and lets commands end that never do. Resolves with what is left. */
async function leave(stage: Stage, scenes: readonly Scene[]): Promise<unknown> {
  for (const scene of scenes) trigger(scene, 'release')
  await within(60, stage.close())
  const left = () =>
    stage.hosts.map((host) => {
      const { cells, workers, leased, idle, retired, queued, running, waiting } = host.stats()
      return { cells, workers, leased, idle, retired, queued, running, waiting }
    })
  const none = () => left().every((figures) => Object.values(figures).every((count) => count === 0))
  return until(none, 60).then(
    () => 'nothing',
    () => left(),
  )
}
