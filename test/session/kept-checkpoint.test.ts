import { expect, it } from 'vitest'
import type { CheckpointPart } from '../../src/contract/checkpoint.ts'
import { KeptCheckpoint } from '../../src/session/kept-checkpoint.ts'

const bounds = { maxBytes: 100, maxText: 1000 }

const part = (changes: Partial<CheckpointPart>): CheckpointPart => ({
  contents: [],
  entries: [],
  forgotten: [],
  last: true,
  ...changes,
})

const content = (id: number, length: number) => ({ id, bytes: new Uint8Array(length).fill(id) })

/** A file of new bytes. */
const file = (key: string, id: number, length: number) =>
  part({ contents: [content(id, length)], entries: [{ key, value: '', content: id }] })

/** All that is kept, as one part. */
function all(kept: KeptCheckpoint): CheckpointPart {
  const parts = [...kept.parts()]
  expect(parts.map(({ last }) => last)).toEqual(parts.map((_, at) => at === parts.length - 1))
  return part({
    contents: parts.flatMap(({ contents }) => contents),
    entries: parts.flatMap(({ entries }) => entries),
  })
}

it('holds the last value of each key, and its bytes once', () => {
  const kept = new KeptCheckpoint(bounds)
  expect(kept.isEmpty).toBe(true)
  expect(kept.take(file('a', 1, 10))).toBe('taken')
  expect(kept.take(part({ entries: [{ key: 'b', value: 'link', content: 1 }] }))).toBe('taken')
  expect(kept.take(part({ entries: [{ key: 'x', value: '1' }] }))).toBe('taken')
  expect(kept.take(part({ entries: [{ key: 'x', value: '2' }], forgotten: ['a', 'none'] }))).toBe('taken')
  expect(all(kept)).toEqual(
    part({
      contents: [content(1, 10)],
      entries: [
        { key: 'b', value: 'link', content: 1 },
        { key: 'x', value: '2' },
      ],
    }),
  )
  expect(kept.take(part({ forgotten: ['b', 'x'] }))).toBe('taken')
  expect([kept.isEmpty, kept.size]).toEqual([true, { bytes: 0, text: 0 }])
})

it('does not grow with time', () => {
  const kept = new KeptCheckpoint(bounds)
  for (let id = 1; id < 5000; id += 1) {
    expect(kept.take(file('log', id, 60))).toBe('taken')
    expect(kept.take(part({ entries: [{ key: `temporary ${id}`, value: 'x' }] }))).toBe('taken')
    expect(kept.take(part({ forgotten: [`temporary ${id}`] }))).toBe('taken')
  }
  expect([kept.size, all(kept).contents]).toEqual([{ bytes: 60, text: 67 }, [content(4999, 60)]])
})

it('takes a checkpoint of several parts as a whole, or not at all', () => {
  const kept = new KeptCheckpoint(bounds)
  kept.take(part({ entries: [{ key: 'x', value: '1' }] }))
  kept.take(part({ contents: [content(1, 10)], last: false }))
  kept.take(part({ entries: [{ key: 'x', value: '2', content: 1 }], last: false }))
  expect(all(kept).entries).toEqual([{ key: 'x', value: '1' }])
  kept.dropStaged()
  expect(kept.size.bytes).toBe(0)
  kept.take(part({ contents: [content(2, 10)], last: false }))
  kept.take(part({ entries: [{ key: 'x', value: '3', content: 2 }] }))
  expect(all(kept)).toEqual(
    part({ contents: [content(2, 10)], entries: [{ key: 'x', value: '3', content: 2 }] }),
  )
})

it('says where it would hold more than it may', () => {
  const over = (...parts: readonly CheckpointPart[]) => {
    const kept = new KeptCheckpoint(bounds)
    return parts.map((each) => kept.take(each)).at(-1)
  }
  expect(over(file('a', 1, 100), file('a', 2, 100))).toBe('taken')
  expect(over(file('a', 1, 100), file('b', 2, 1))).toBe('too large')
  expect(over(part({ contents: [content(1, 201)], last: false }))).toBe('too large')
  expect(over(part({ entries: [{ key: 'x', value: 'x'.repeat(1000) }] }))).toBe('too large')
  expect(over(part({ entries: [{ key: 'x', value: 'x'.repeat(1000) }], last: false }))).toBe('too large')
  const many = Array.from({ length: 20 }, (_, at) => ({ key: `${at}`, value: '' }))
  expect(over(part({ entries: many }))).toBe('too large')
  expect(over(...many.map(({ key }) => part({ forgotten: [key.repeat(60)], last: false })))).toBe('too large')
})

it('keeps no more of a part than the contract declares', () => {
  const kept = new KeptCheckpoint(bounds)
  const entry = { key: 'x', value: '1', other: 'x'.repeat(10_000) }
  kept.take(part({ entries: [entry] }))
  expect(all(kept).entries).toEqual([{ key: 'x', value: '1' }])
  const unfinished = Array.from({ length: 20 }, () => part({ last: false }))
  expect(unfinished.map((each) => kept.take(each)).at(-1)).toBe('too large')
})

it('says where a part is not of the contract', () => {
  const kept = new KeptCheckpoint(bounds)
  expect(kept.take(part({ entries: [{ key: 'a', value: '', content: 1 }] }))).toBe('wrong')
  const other = new KeptCheckpoint(bounds)
  other.take(file('a', 1, 1))
  expect(other.take(file('b', 1, 1))).toBe('wrong')
})

it('is told in parts that a message can carry', () => {
  const kept = new KeptCheckpoint({ maxBytes: 10_000, maxText: 10_000_000 })
  for (let id = 1; id <= 1200; id += 1) kept.take(file(`${id}`, id, 1))
  const entries = Array.from({ length: 25_000 }, (_, at) => ({ key: `x${at}`, value: '' }))
  kept.take(part({ entries }))
  const parts = [...kept.parts()]
  expect(parts.map(({ contents, entries }) => [contents.length, entries.length])).toEqual([
    [500, 0],
    [500, 0],
    [200, 0],
    [0, 10_000],
    [0, 10_000],
    [0, 6200],
  ])
})
