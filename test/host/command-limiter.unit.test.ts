import { expect, it } from 'vitest'
import { CommandLimiter, type CommandTurns } from '../../src/host/command-limiter.ts'

/** A limiter, and who runs, in the order in which they began. */
class Track {
  readonly limiter: CommandLimiter
  readonly ran: string[] = []

  constructor(most: number) {
    this.limiter = new CommandLimiter(most)
  }

  /** Somebody asks to run. */
  ask(name: string, turns: CommandTurns) {
    const waiter = { onAcquired: () => void this.ran.push(name) }
    if (turns.acquire(waiter)) this.ran.push(name)
    return waiter
  }
}

it('gives the next turn to the tenant with the fewest that run', () => {
  const track = new Track(2)
  const [a, b] = [track.limiter.turns('a'), track.limiter.turns('b')]
  for (const name of ['a1', 'a2', 'a3', 'a4']) track.ask(name, a)
  for (const name of ['b1', 'b2']) track.ask(name, b)
  expect([track.ran, a.running, a.waiting, b.waiting]).toEqual([['a1', 'a2'], 2, 2, 2])
  a.release()
  expect(track.ran).toEqual(['a1', 'a2', 'b1'])
  a.release()
  expect(track.ran).toEqual(['a1', 'a2', 'b1', 'a3'])
  b.release()
  expect(track.ran).toEqual(['a1', 'a2', 'b1', 'a3', 'b2'])
  expect([a.running + b.running, track.limiter.running, track.limiter.waiting]).toEqual([2, 2, 1])
})

it('keeps a tenant within its own bound, and gives others what it leaves', () => {
  const track = new Track(3)
  const [a, b] = [track.limiter.turns('a', 1), track.limiter.turns('b')]
  for (const name of ['a1', 'a2']) track.ask(name, a)
  for (const name of ['b1', 'b2', 'b3']) track.ask(name, b)
  expect(track.ran).toEqual(['a1', 'b1', 'b2'])
  b.release()
  expect(track.ran.at(-1)).toBe('b3')
  a.release()
  expect(track.ran.at(-1)).toBe('a2')
})

it('says that a turn is awaited only where somebody could run instead', () => {
  const track = new Track(2)
  const [a, b] = [track.limiter.turns('a', 1), track.limiter.turns('b')]
  track.ask('a1', a)
  const waits = track.ask('a2', a)
  expect([a.isAwaited, b.isAwaited]).toEqual([true, false])
  track.ask('b1', b)
  expect(b.isAwaited).toBe(false)
  a.leave(waits)
  expect([a.isAwaited, track.limiter.waiting]).toEqual([false, 0])
  track.ask('b2', b)
  expect([a.isAwaited, b.isAwaited]).toEqual([true, true])
})
