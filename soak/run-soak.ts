import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type { Actor } from './actor.ts'
import { checkCaps, checkGrowth, judge, leftOf } from './bounds.ts'
import { castOf, saboteurOf } from './cast.ts'
import { Gauges, type Sample } from './gauges.ts'
import type { SoakOptions } from './options.ts'
import type { SoakReport } from './report.ts'
import { until } from './until.ts'
import { World } from './world.ts'

/** Seconds between two faults from outside, in the mean. */
const faultPace = 4

/** Seconds between two moments in which everybody rests and the books are checked. */
const checkPace = 15

/** Seconds in which all actors end: the longest act takes a dozen. */
const endTime = 120

/** What a run can be given besides its options. */
export interface SoakHooks {
  /** Told of each sample. */
  readonly onSample?: (sample: Sample) => void
  /** Called for each sandbox that was closed. */
  readonly afterClose?: () => void
}

/** Runs a soak to its end, or until something is violated. */
export async function runSoak(options: SoakOptions, hooks: SoakHooks = {}): Promise<SoakReport> {
  const start = performance.now()
  const workers = watchWorkers()
  const directory = mkdtempSync(join(tmpdir(), 'soak-'))
  const world = await World.make(options.seed, directory, options.levels, hooks.afterClose)
  const gauges = new Gauges(world, workers.living)
  const before = gauges.sample()
  const houses = [...world.houses.values()]
  const cast = houses.flatMap((house) => castOf(world, house, options.sandboxes))
  const saboteurs = houses.map((house) => saboteurOf(world, house, workers.living))
  const samples: Sample[] = []
  const lives = [
    ...cast.map((actor) => actor.live(world, options.pace)),
    ...saboteurs.map((actor) => actor.live(world, faultPace)),
    measure(world, gauges, samples, hooks.onSample),
    checkBooks(world),
  ]
  await sleep(options.minutes * 60_000, undefined, { signal: world.stopping }).catch(() => undefined) // Asked for below.
  world.stop()
  await endOf(lives, world)
  await nothingLeft(world, gauges, before).catch((error: unknown) => world.fail(error))
  const verdicts = judge(samples)
  world.guard(() => checkGrowth(verdicts))
  workers.stop()
  rmSync(directory, { recursive: true, force: true })
  const seconds = (performance.now() - start) / 1000
  const all = [...cast, ...saboteurs]
  return {
    options,
    seconds,
    steps: all.reduce((sum, { steps }) => sum + steps, 0),
    calls: world.calls.settled,
    closed: world.closed,
    injected: world.losses.injected,
    seen: world.losses.seen,
    cores: gauges.sample().processor / seconds,
    verdicts,
    samples,
    ...violationOf(world, all),
  }
}

/** Once a second: the gauges, their caps, and the patience with calls and faults. */
async function measure(
  world: World,
  gauges: Gauges,
  samples: Sample[],
  onSample: SoakHooks['onSample'],
): Promise<void> {
  while (!world.stopping.aborted) {
    const sample = gauges.sample()
    samples.push(sample)
    onSample?.(sample)
    world.guard(() => checkCaps(sample))
    world.guard(() => world.calls.checkPatience())
    world.guard(() => world.losses.check())
    await rest(world, 1)
  }
}

/** Has each house come to rest now and then: nothing may be under way there. */
async function checkBooks(world: World): Promise<void> {
  while (!world.stopping.aborted) {
    await rest(world, checkPace)
    for (const house of world.houses.values()) {
      await house.gate.alone(async () => world.guard(() => house.checkRest()))
    }
  }
}

/** Waits for all to end, closes what is open, and checks the books for the last time. */
async function endOf(lives: readonly Promise<void>[], world: World): Promise<void> {
  const guard = new AbortController()
  const hang = sleep(endTime * 1000, undefined, { signal: guard.signal }).then(
    () => world.fail(new Error(`what had begun did not end in ${endTime} s`)),
    () => undefined, // All have ended.
  )
  const end = async () => {
    await Promise.all(lives)
    if (world.violation !== undefined) return
    await world.close()
    world.calls.checkRest()
    world.losses.check()
  }
  await Promise.race([hang, end().catch((error: unknown) => world.fail(error))])
  guard.abort()
}

/** Everything is closed: what was started for it has to go. */
async function nothingLeft(world: World, gauges: Gauges, before: Sample): Promise<void> {
  if (world.violation !== undefined) return
  const left = () => leftOf(before, gauges.sample())
  await until(
    () => left().length === 0,
    30,
    () => `after the end there are ${left().join(', ')}`,
  )
}

async function rest(world: World, seconds: number): Promise<void> {
  await sleep(seconds * 1000, undefined, { signal: world.stopping }).catch(() => undefined) // The caller looks.
}

/** The worker threads that this process starts from now on and that have not ended. */
function watchWorkers(): { readonly living: ReadonlySet<Worker>; stop(): void } {
  const living = new Set<Worker>()
  const add = (worker: Worker) => {
    living.add(worker)
    worker.once('exit', () => living.delete(worker))
  }
  process.on('worker', add)
  return { living, stop: () => process.off('worker', add) }
}

function violationOf(world: World, actors: readonly Actor[]): Pick<SoakReport, 'violation'> {
  const { violation } = world
  if (violation === undefined) return {}
  const whose = actors.filter(({ name }) => violation.message.includes(name) || name.endsWith('-saboteur'))
  const trace = whose.flatMap(({ name, trace: steps }) => steps.map((step) => `${name}: ${step}`))
  return { violation: { message: violation.message, trace } }
}
