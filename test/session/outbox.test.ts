import { expect, it } from 'vitest'
import { CommandLimiter, type CommandTurns } from '../../src/host/command-limiter.ts'
import { Outbox } from '../../src/session/outbox.ts'

/** Outboxes that share one limiter, and the names of the calls that were sent, in order. */
class Post {
  readonly sent: string[] = []
  readonly limiter: CommandLimiter
  readonly #turns: CommandTurns
  #lastId = 0

  constructor(most: number) {
    this.limiter = new CommandLimiter(most)
    this.#turns = this.limiter.turns()
  }

  outbox(): Outbox {
    return new Outbox(this.#turns)
  }

  /** Adds a call and gives its id. */
  add(outbox: Outbox, name: string, kind: 'command' | 'other' = 'command'): number {
    const id = ++this.#lastId
    outbox.add(id, { command: kind === 'command', send: () => this.sent.push(name) })
    return id
  }

  /** Adds a call that is sent at once, whoever has a turn. */
  addBlocking(outbox: Outbox, name: string): void {
    outbox.addBlocking(++this.#lastId, { command: true, send: () => this.sent.push(name) })
  }
}

it('sends at most four commands ahead of their answers, and the next one with each answer', () => {
  const post = new Post(1)
  const outbox = post.outbox()
  for (const name of ['1', '2', '3', '4', '5', '6']) post.add(outbox, name)
  expect(post.sent).toEqual(['1', '2', '3', '4'])
  outbox.answered()
  expect(post.sent).toEqual(['1', '2', '3', '4', '5'])
  outbox.answered()
  expect(post.sent).toEqual(['1', '2', '3', '4', '5', '6'])
})

it('sends a call that is no command without a turn, unless a command waits before it', () => {
  const post = new Post(1)
  const [busy, outbox] = [post.outbox(), post.outbox()]
  post.add(busy, 'busy')
  post.add(outbox, 'read', 'other')
  post.add(outbox, 'command')
  post.add(outbox, 'read after it', 'other')
  expect(post.sent).toEqual(['busy', 'read'])
  busy.answered()
  expect(post.sent).toEqual(['busy', 'read', 'command', 'read after it'])
})

it('sends one command a turn while other outboxes wait for one', () => {
  const post = new Post(1)
  const all = [post.outbox(), post.outbox(), post.outbox()]
  for (const turn of [1, 2]) all.forEach((outbox, index) => void post.add(outbox, `${index}: ${turn}`))
  expect(post.sent).toEqual(['0: 1'])
  all[0]?.answered()
  expect(post.sent).toEqual(['0: 1', '1: 1'])
  all[1]?.answered()
  expect(post.sent).toEqual(['0: 1', '1: 1', '2: 1'])
  all[2]?.answered()
  expect(post.sent).toEqual(['0: 1', '1: 1', '2: 1', '0: 2'])
})

it('gives its turn back when the last command sent has been answered', () => {
  const post = new Post(1)
  const outbox = post.outbox()
  post.add(outbox, '1')
  post.add(outbox, '2')
  outbox.answered()
  expect(post.limiter.running).toBe(1)
  outbox.answered()
  expect(post.limiter.running).toBe(0)
})

it('leaves the line for a turn when the only command that waited is removed', () => {
  const post = new Post(1)
  const [busy, outbox] = [post.outbox(), post.outbox()]
  post.add(busy, 'busy')
  const id = post.add(outbox, 'waits')
  post.add(outbox, 'read', 'other')
  expect([outbox.has(id), post.limiter.waiting]).toEqual([true, 1])
  outbox.remove(id)
  expect([outbox.has(id), post.limiter.waiting, post.sent]).toEqual([false, 0, ['busy', 'read']])
})

it('sends everything that waits with a blocking call, in order and without a turn', () => {
  const post = new Post(1)
  const [busy, outbox] = [post.outbox(), post.outbox()]
  post.add(busy, 'busy')
  post.add(outbox, 'waits')
  post.addBlocking(outbox, 'blocking')
  expect(post.sent).toEqual(['busy', 'waits', 'blocking'])
  expect(post.limiter.waiting).toBe(0)
})

it('sends nothing after close(), and passes its turn to the next outbox', () => {
  const post = new Post(1)
  const [first, second] = [post.outbox(), post.outbox()]
  for (const name of ['1', '2', '3', '4', 'never']) post.add(first, name)
  post.add(second, 'second')
  first.close()
  expect(post.sent).toEqual(['1', '2', '3', '4', 'second'])
})

it('waits for no turn after close()', () => {
  const post = new Post(1)
  const [busy, outbox] = [post.outbox(), post.outbox()]
  post.add(busy, 'busy')
  post.add(outbox, 'waits')
  outbox.close()
  busy.answered()
  expect([post.sent, post.limiter.running, post.limiter.waiting]).toEqual([['busy'], 0, 0])
})
