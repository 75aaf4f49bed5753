import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type { Actor } from './actor.ts'
import { actorsOf, saboteurOf } from './actors.ts'
import { checkCaps, checkGrowth, judge, leftOf } from './bounds.ts'
import { SoakContext } from './context.ts'
import { Gauges, type Sample } from './gauges.ts'
import type { SoakOptions } from './options.ts'
import type { SoakReport } from './report.ts'
import { soakShells } from './shells/index.ts'
import { until } from './until.ts'

/** Mean seconds between two injected faults of a level. */
const faultPace = 4

/** Seconds between two checks for which all actors pause. */
const checkPace = 15

/** Seconds in which all actors have to end. The longest action takes about 12. */
const endTime = 120

/** Callbacks of a run. */
export interface SoakHooks {
  /** Called with each sample. */
  readonly onSample?: (sample: Sample) => void
  /** Called after each sandbox that was closed. */
  readonly afterClose?: () => void
}

/** Runs a soak until its time is up or the first violation. */
export async function runSoak(options: SoakOptions, hooks: SoakHooks = {}): Promise<SoakReport> {
  const start = performance.now()
  const workers = watchWorkers()
  const directory = mkdtempSync(join(tmpdir(), 'soak-'))
  const context = await SoakContext.make(
    { seed: options.seed, shell: soakShells[options.shell], jails: options.jails },
    directory,
    options.levels,
    hooks.afterClose,
  )
  const gauges = new Gauges(context, workers.living)
  const before = gauges.sample()
  const levels = [...context.levels.values()]
  const actors = levels.flatMap((level) => actorsOf(context, level, options.sandboxes))
  const saboteurs = levels.map((level) => saboteurOf(context, level, workers.living))
  const samples: Sample[] = []
  const running = [
    ...actors.map((actor) => actor.run(context, options.pace)),
    ...saboteurs.map((actor) => actor.run(context, faultPace)),
    measure(context, gauges, samples, hooks.onSample),
    checkAtRest(context),
  ]
  await sleep(options.minutes * 60_000, undefined, { signal: context.stopping }).catch(() => undefined) // A violation ended the run; it is reported below.
  context.stop()
  await endOf(running, context)
  await nothingLeft(context, gauges, before).catch((error: unknown) => context.fail(error))
  const verdicts = judge(samples)
  context.guard(() => checkGrowth(verdicts))
  workers.stop()
  rmSync(directory, { recursive: true, force: true })
  const seconds = (performance.now() - start) / 1000
  const all = [...actors, ...saboteurs]
  return {
    options,
    seconds,
    steps: all.reduce((sum, { steps }) => sum + steps, 0),
    calls: context.calls.settled,
    closed: context.closed,
    injected: context.losses.injected,
    seen: context.losses.seen,
    cores: gauges.sample().processor / seconds,
    verdicts,
    samples,
    ...violationOf(context, all),
  }
}

/** Once a second: takes a sample, and checks the caps, the pending calls and the faults. */
async function measure(
  context: SoakContext,
  gauges: Gauges,
  samples: Sample[],
  onSample: SoakHooks['onSample'],
): Promise<void> {
  while (!context.stopping.aborted) {
    await context.gauges.acquire()
    const sample = gauges.sample()
    context.gauges.release()
    samples.push(sample)
    onSample?.(sample)
    context.guard(() => checkCaps(sample))
    context.guard(() => context.calls.checkOverdue())
    context.guard(() => context.losses.check())
    await rest(context, 1)
  }
}

/** Every `checkPace` seconds: pauses the actors of each level and checks that nothing is running there. */
async function checkAtRest(context: SoakContext): Promise<void> {
  while (!context.stopping.aborted) {
    await rest(context, checkPace)
    for (const level of context.levels.values()) {
      await level.lock.exclusive(async () => context.guard(() => level.checkIdle()))
    }
  }
}

/** Waits for all actors, closes everything, and checks the ledgers for the last time. */
async function endOf(running: readonly Promise<void>[], context: SoakContext): Promise<void> {
  const guard = new AbortController()
  const hang = sleep(endTime * 1000, undefined, { signal: guard.signal }).then(
    () => context.fail(new Error(`the actors did not end in ${endTime} s`)),
    () => undefined, // All ended in time.
  )
  const end = async () => {
    await Promise.all(running)
    if (context.violation !== undefined) return
    await context.close()
    context.calls.checkIdle()
    context.losses.check()
  }
  await Promise.race([hang, end().catch((error: unknown) => context.fail(error))])
  guard.abort()
}

/** Checks that the workers, processes and descriptors of the run are gone. To be called after everything was closed. */
async function nothingLeft(context: SoakContext, gauges: Gauges, before: Sample): Promise<void> {
  if (context.violation !== undefined) return
  const left = () => leftOf(before, gauges.sample())
  await until(
    () => left().length === 0,
    30,
    () => `after the end there are ${left().join(', ')}`,
  )
}

async function rest(context: SoakContext, seconds: number): Promise<void> {
  await sleep(seconds * 1000, undefined, { signal: context.stopping }).catch(() => undefined) // The caller checks for the end.
}

/** Keeps the set of living worker threads that this process starts from now on. */
function watchWorkers(): { readonly living: ReadonlySet<Worker>; stop(): void } {
  const living = new Set<Worker>()
  const add = (worker: Worker) => {
    living.add(worker)
    worker.once('exit', () => living.delete(worker))
  }
  process.on('worker', add)
  return { living, stop: () => process.off('worker', add) }
}

function violationOf(context: SoakContext, actors: readonly Actor[]): Pick<SoakReport, 'violation'> {
  const { violation } = context
  if (violation === undefined) return {}
  const whose = actors.filter(({ name }) => violation.message.includes(name) || name.endsWith('-saboteur'))
  const trace = whose.flatMap(({ name, trace: steps }) => steps.map((step) => `${name}: ${step}`))
  return { violation: { message: violation.message, trace } }
}
