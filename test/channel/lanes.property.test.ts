import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { LONG_TEXT, PIECE_BYTES } from '../../src/channel/wire.ts'
import { cases } from '../support/tier.ts'
import { messages, startCell, type TestCell } from './helpers.ts'

let cell: TestCell

beforeAll(async () => {
  cell = await startCell()
})

afterAll(() => cell.end())

const edges = [LONG_TEXT, PIECE_BYTES, 2 * PIECE_BYTES, 5 * PIECE_BYTES]
const size = fc.oneof(
  fc.nat(200),
  fc.integer({ min: -40, max: 40 }).chain((by) => fc.constantFrom(...edges).map((edge) => edge + by)),
  fc.nat(500_000),
)
const message = fc.record({
  lane: fc.nat(3),
  sizes: fc.array(size, { maxLength: 3 }),
  bytes: fc.boolean(),
  wait: fc.boolean(),
})

function contents(sizes: readonly number[], bytes: boolean, number: number): unknown[] {
  return sizes.map((length, index) => {
    const text = `${number}.${index};`.repeat(length / 4 + 1).slice(0, length)
    return bytes ? new Uint8Array(Buffer.from(text)) : text
  })
}

function digest(content: unknown): unknown {
  if (Array.isArray(content)) return content.map(digest)
  return content instanceof Uint8Array ? `bytes ${Buffer.from(content).toString('latin1')}` : content
}

it('delivers messages of all sizes on several lanes whole and in order', async () => {
  const plans = fc.array(message, { minLength: 1, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const sent = plan.map(({ sizes, bytes }, number) => contents(sizes, bytes, number))
      const lanes = [0, 1, 2, 3].map((lane) => {
        const expected = sent.filter((_, number) => plan[number]?.lane === lane)
        const port = cell.open()
        return { port, expected, received: expected.length === 0 ? [] : messages(port, expected.length) }
      })
      for (const [number, { lane, wait }] of plan.entries()) {
        lanes[lane]?.port.postMessage(sent[number])
        if (wait) await new Promise(setImmediate)
      }
      for (const { port, expected, received } of lanes) {
        expect(digest(await received)).toEqual(digest(expected))
        port.close()
      }
    }),
    { numRuns: cases(60) },
  )
})
