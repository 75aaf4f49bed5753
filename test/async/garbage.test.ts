import { expect, it } from 'vitest'
import { GarbageCollection } from '../../src/async/garbage.ts'

/** A collection that takes `took` milliseconds by a clock of its own. */
class Watch {
  now = 0
  took = 10
  collections = 0
  hasCollector = true
  readonly garbage = new GarbageCollection({
    now: () => this.now,
    findCollector: () => (this.hasCollector ? () => this.#collect() : undefined),
  })

  #collect(): void {
    this.collections += 1
    this.now += this.took
  }

  /** Runs whenever it may for so many seconds; `found` after each. @returns when, in seconds */
  times(seconds: number, found = false): readonly number[] {
    const times: number[] = []
    const end = this.now + seconds * 1000
    for (; this.now < end; this.now += Math.max(1, this.garbage.wait)) {
      const start = this.now
      if (!this.garbage.run()) continue
      times.push(Math.round(start / 1000))
      if (found) this.garbage.found()
    }
    return times
  }
}

it('runs about five times a second while it is short and finds something', () => {
  expect(new Watch().times(1, true)).toHaveLength(5)
})

it('runs ever less often while it finds nothing, and once a minute at least', () => {
  expect(new Watch().times(250)).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243])
})

it('may run soon once something was found', () => {
  const watch = new Watch()
  watch.times(40)
  watch.garbage.run()
  expect(watch.garbage.wait).toBeGreaterThan(1000)
  watch.garbage.found()
  expect(watch.garbage.wait).toBeLessThanOrEqual(200)
})

it('takes a twentieth of the time at most', () => {
  const watch = new Watch()
  watch.took = 300
  expect(watch.times(20, true)).toEqual([0, 6, 13, 19])
})

it('does not run before it may', () => {
  const watch = new Watch()
  expect([watch.garbage.run(), watch.garbage.run(), watch.collections]).toEqual([true, false, 1])
})

it('looks for a collector again where there was none', () => {
  const watch = new Watch()
  watch.hasCollector = false
  expect([watch.garbage.run(), watch.garbage.wait]).toEqual([false, 1000])
  watch.hasCollector = true
  watch.now += 1000
  expect([watch.garbage.run(), watch.collections]).toEqual([true, 1])
})

it('collects by itself in this process', () => {
  expect(new GarbageCollection().run()).toBe(true)
})
