import { serialize } from 'node:v8'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import fc from 'fast-check'
import { afterAll, expect } from 'vitest'
import { CommandLimiter } from '../../src/host/command-limiter.ts'
import { SandboxClosedError, type SandboxError, StrandsShellSandbox } from '../../src/index.ts'
import { isStrandsDescription } from '../../src/session/description-schema.ts'
import { LeaseCalls } from '../../src/session/lease-calls.ts'
import * as operations from '../../src/session/operations.ts'
import { Remote } from '../../src/session/remote.ts'
import { Scratch } from '../../src/session/scratch.ts'
import { faultyHost, until, within } from '../faults/helpers.ts'
import { outcomeOf } from './support/documented.ts'
import { message } from './support/forged.ts'
import { fuzz } from './support/fuzz.ts'
import { oddText } from './support/junk.ts'
import { RESULT_KEYS } from './support/result-keys.ts'

const scratch = new Scratch()
const getEnv = () => operations.getEnv('A')
const calls: readonly (() => operations.Operation<unknown>)[] = [
  () => operations.run({ command: 'true' }),
  () => operations.readFile('/a'),
  () => operations.writeFile('/a', new Uint8Array(1), scratch),
  () => operations.listFiles('/'),
  getEnv,
  () => operations.setEnv('A', ''),
  () => operations.describe(isStrandsDescription),
  () => operations.changes(undefined),
  () => operations.applyChanges({ bind: '/a' }),
]

/** A remote, and its far side, which answers each call with the next of these lists of messages. */
class Forged {
  readonly remote: Remote
  readonly #calls: LeaseCalls
  losses = 0
  readonly #far: MessagePort
  readonly #answers: readonly (readonly unknown[])[]
  readonly #ids: string[] = []
  #delivered: () => void = () => undefined
  #answered: () => void = () => undefined

  constructor(answers: readonly (readonly unknown[])[]) {
    const { port1, port2 } = new MessageChannel()
    this.#far = port2
    this.#answers = answers
    port2.on('message', ({ id }: { readonly id: string }) => {
      this.#post(id, this.#answers[this.#ids.length] ?? [])
      this.#ids.push(id)
      this.#answered()
    })
    port2.unref()
    this.#calls = new LeaseCalls(port1, {
      commandTimeout: 30,
      allowance: 0,
      maxPending: 100,
      commandLimiter: new CommandLimiter(8).turns(),
      interrupt: () => undefined,
      endsStuck: false,
      onCheckpoint: () => true,
      onAnswered: () => true,
      onInterrupt: 'keep',
      onLost: () => {
        this.losses += 1
        this.#answered()
      },
      streaming: true,
      hostCommands: () => undefined,
      onEgress: () => undefined,
      onConflicts: (conflicts) => expect(Array.isArray(conflicts)).toBe(true),
      onClosed: () => undefined,
    })
    this.remote = new Remote(this.#calls)
    port1.on('message', (received: unknown) => {
      if (received === 'all was delivered') this.#delivered()
    })
  }

  /** Resolves when so many calls were answered, and the near side has had all of it. */
  async answered(calls: number): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#answered = () => {
        if (this.#ids.length >= calls || this.losses > 0) resolve()
      }
      this.#answered()
    })
    await this.#settle()
  }

  /** Sends all answers once more. */
  async repeat(): Promise<void> {
    for (const [index, id] of this.#ids.entries()) this.#post(id, this.#answers[index] ?? [])
    await this.#settle()
  }

  end(makeError: () => SandboxError): void {
    this.#calls.end(makeError)
  }

  close(): void {
    this.#far.close()
  }

  #post(id: string, messages: readonly unknown[]): void {
    for (const forged of messages) {
      const own = typeof forged === 'object' && forged !== null && 'id' in forged && forged.id === '$id'
      this.#far.postMessage(own ? { ...forged, id } : forged)
    }
  }

  #settle(): Promise<void> {
    const delivered = new Promise<void>((resolve) => {
      this.#delivered = resolve
    })
    this.#far.postMessage('all was delivered')
    return within(60, delivered)
  }
}

const ends = { values: 0, errors: 0 }

fuzz({
  target: 'rpc',
  title: 'whatever comes on a port, every call settles with a value of its shape or a documented error',
  // Few forged answers are values.
  cases: 2000,
  input: fc.tuple(
    fc.array(fc.nat(calls.length - 1), { minLength: 1, maxLength: 4 }),
    fc.array(fc.array(message, { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 4 }),
  ),
  examples: [
    [[calls.indexOf(getEnv)], [[{ id: '$id', type: 'RAW', value: { ok: true, value: 'x' } }], [], [], []]],
  ],
  holds: async ([numbers, answers]) => {
    const forged = new Forged(answers)
    const { remote } = forged
    const settled = numbers.map(async (number) => {
      const operation = calls[number]?.()
      if (operation === undefined) return
      const end = await outcomeOf(() => remote.call(operation))
      if ('value' in end) expect(operation.accepts(end.value)).toBe(true)
      ends['value' in end ? 'values' : 'errors'] += 1
    })
    await forged.answered(numbers.length)
    await forged.repeat()
    forged.end(() => new SandboxClosedError('The sandbox was closed.'))
    await within(60, Promise.all(settled))
    await forged.repeat()
    expect(forged.losses).toBeLessThanOrEqual(1)
    forged.close()
  },
  ends: () => [ends.values, ends.errors],
})

const host = faultyHost({}, (cleanup) => afterAll(cleanup))
const sandbox = new StrandsShellSandbox({ env: { HOSTILE: 'service' } }, { host })
const other = new StrandsShellSandbox({}, { host })
const generations = { first: 0 }

fuzz({
  target: 'rpc',
  title: 'a hostile worker costs its own session, once, and nobody else anything',
  cases: 15,
  input: fc.array(fc.oneof({ weight: 6, arbitrary: message }, { weight: 1, arbitrary: giant() }), {
    maxLength: 6,
  }),
  examples: [[{ id: '$id', type: 'RAW', value: 'no answer' }]],
  holds: async (messages) => {
    const before = sandbox.generation
    const forged = `forge ${serialize(messages).toString('base64')}`
    const end = await within(
      60,
      outcomeOf(() => sandbox.execute(forged)),
    )
    if ('value' in end) expect(Object.keys(end.value)).toEqual(RESULT_KEYS)
    // A notice that comes late is told by the next call, once.
    const next = await within(
      60,
      outcomeOf(() => sandbox.execute('echoed')),
    )
    if ('error' in next) {
      expect(next.error.code).toMatch(/^(WORKER_LOST|MEMORY_LIMIT)$/)
      expect(await within(60, sandbox.execute('echoed'))).toMatchObject({ stdout: 'echoed' })
    }
    expect(sandbox.generation - before).toBeLessThanOrEqual(1)
    expect(await within(60, other.execute('echo well'))).toMatchObject({ stdout: 'well\n' })
    expect(other.generation).toBe(1)
    generations.first = sandbox.generation
  },
  after: async () => {
    expect(generations.first).toBeGreaterThan(1)
    await until(() => host.stats().workers <= 2 && host.stats().retired === 0)
  },
})

function giant(): fc.Arbitrary<unknown> {
  return oddText.map((text) => ({
    id: '$id',
    type: 'RAW',
    value: { ok: false, error: { code: 'IO_ERROR', message: text.repeat(500).slice(0, 4_000_000) } },
  }))
}
