import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import type { EngineSource } from '../../../src/contract/lease.ts'
import { resolveEngine } from '../../../src/engines/strands/resolve-engine.ts'
import { strandsEngineAt } from '../../../src/engines/strands/strands-engine.ts'
import { OpenRequest } from '../../../src/places/open-request.ts'
import { ThreadPlaces } from '../../../src/places/threads/thread-places.ts'
import { EngineUnavailableError } from '../../../src/sandbox/errors.ts'
import { until } from '../../faults/basics.ts'

/** Places whose engine is found as `find` says. */
async function placesWith(find: (source: EngineSource) => Promise<EngineSource>, maxIdle = 4) {
  const { source } = await resolveEngine()
  const engine = { ...strandsEngineAt(source), find: () => find(source) }
  const sizes = { capacity: 4, maxThreads: 8, warm: 0, maxIdle, idleTimeout: 60 }
  const places = new ThreadPlaces({ engine, ...sizes, workerUrl: undefined })
  onTestFinished(() => places.close())
  const open = (request = new OpenRequest(engine, engine.blank)) => places.open(request)
  return { engine, places, open }
}

it('a worker starts while the engine is looked for', async () => {
  const { open } = await placesWith(async (source) => {
    await once(process, 'worker')
    return source
  })
  const place = await open()
  place.endpoint.close()
  place.release()
})

it.each([0, 4])(
  'an engine that is not found leaves no worker that nobody owns (maxIdle: %i)',
  async (maxIdle) => {
    let finds = 0
    const find = async (source: EngineSource) => {
      if (++finds === 1) throw new EngineUnavailableError('It is not installed.')
      return source
    }
    const { places, open } = await placesWith(find, maxIdle)
    await expect(open()).rejects.toMatchObject({
      code: 'ENGINE_UNAVAILABLE',
      message: 'It is not installed.',
    })
    const rest = Math.min(1, maxIdle)
    await until(() => places.figures.workers === rest)
    expect(places.figures).toMatchObject({ leased: 0, idle: rest, retired: 0 })
    const place = await open()
    expect(places.figures).toMatchObject({ workers: 1, leased: 1 })
    place.endpoint.close()
    place.release()
  },
)

it('an opening that is withdrawn meanwhile takes nothing', async () => {
  let found: (() => void) | undefined
  const { engine, places, open } = await placesWith(
    (source) =>
      new Promise((resolve) => {
        found = () => resolve(source)
      }),
    0,
  )
  const request = new OpenRequest(engine, engine.blank)
  const opening = open(request)
  await until(() => places.figures.leased === 1)
  request.withdraw()
  found?.()
  await expect(opening).rejects.toMatchObject({ code: 'CLOSED' })
  await until(() => places.figures.workers === 0)
})
