import { describe, expect, it } from 'vitest'
import { bounds, checkCaps, checkGrowth, judge, leftOf } from '../../soak/bounds.ts'
import type { Gauge, Sample } from '../../soak/gauges.ts'
import { Random } from '../../soak/random.ts'

const gauges = bounds.map(({ gauge }) => gauge)

/** Closed sandboxes a second: fewer than a run closes at any level. */
const closes = 3

/** Half an hour of samples without growth, with noise on every gauge. `leak` adds growth. */
function samples(leak: Partial<Record<Gauge, (closed: number) => number>> = {}): readonly Sample[] {
  const random = new Random(1, 'samples')
  return Array.from({ length: 1800 }, (_, at) => {
    const noise = () => 20 + random.between(-10, 10)
    const sample: Record<Gauge, number> = {
      at,
      rss: 300 + 2 * noise() + 50 * Math.min(1, at / 100),
      heap: noise() / 2,
      cellRss: 500 + 5 * noise(),
      lastingRss: 100 + noise(),
      descriptors: 80 + noise(),
      threads: 40 + noise(),
      nativeThreads: noise(),
      workers: 10,
      processes: 7,
      cellThreads: 100 + noise(),
      inFlight: noise(),
      calls: at * 40,
      injected: at,
      seen: at,
      closed: at * closes,
      unheld: noise(),
      processor: at / 2,
    }
    for (const gauge of gauges) sample[gauge] += leak[gauge]?.(sample.closed) ?? 0
    return sample
  })
}

describe('over half an hour', () => {
  it('accepts gauges that go up and down without growth', () => {
    expect(() => checkGrowth(judge(samples()))).not.toThrow()
  })

  it('finds one leaked descriptor per hundred closed sandboxes', () => {
    expect(() => checkGrowth(judge(samples({ descriptors: (closed) => closed / 100 })))).toThrow(
      /^descriptors grew from \d+(\.\d)? in the first quarter to \d+(\.\d)? in the last, and may by \d+$/,
    )
  })

  it('finds 20 KB of leaked memory per closed sandbox', () => {
    const leak = (closed: number) => (closed * 20) / 1024
    expect(() => checkGrowth(judge(samples({ rss: leak })))).toThrow('rss grew')
    expect(() => checkGrowth(judge(samples({ heap: leak })))).toThrow('heap grew')
    expect(() => checkGrowth(judge(samples({ lastingRss: leak })))).toThrow('lastingRss grew')
  })

  it.each(gauges)('finds that %s grows without end', (gauge) => {
    expect(() => checkGrowth(judge(samples({ [gauge]: (closed: number) => closed / 10 })))).toThrow(
      `${gauge} grew`,
    )
  })

  it('holds a run that is all warm-up to its caps alone', () => {
    const leaking = samples({ descriptors: (closed) => closed })
    expect(() => checkGrowth(judge(leaking.slice(0, 120)))).not.toThrow()
    expect(() => checkGrowth(judge(leaking.slice(0, 400)))).toThrow(/^descriptors grew/)
  })
})

it.each(bounds)('throws as soon as $gauge is above its cap', ({ gauge, most }) => {
  const [sample] = samples({ [gauge]: () => most })
  if (sample === undefined) throw new Error('there is a sample')
  expect(() => checkCaps(sample)).toThrow(`${gauge} is `)
})

it('gives figures for a run of one second', () => {
  expect(judge(samples().slice(0, 1)).map(({ first, last }) => last - first)).toEqual(gauges.map(() => 0))
})

it('names what is left after everything was closed', () => {
  const [before] = samples()
  if (before === undefined) throw new Error('there is a sample')
  const at = { ...before, workers: 0, nativeThreads: 0, processes: 0, threads: 12, descriptors: 30 }
  expect(leftOf(at, { ...at, threads: 20, descriptors: 38 })).toEqual([])
  expect(leftOf(at, { ...at, workers: 1, descriptors: 39 })).toEqual([
    '1 workers (0 at the start)',
    '39 descriptors (30 at the start)',
  ])
})
