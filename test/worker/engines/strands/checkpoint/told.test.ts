import { expect, it } from 'vitest'
import { KeptCheckpoint } from '../../../../../src/session/kept-checkpoint.ts'
import { Told } from '../../../../../worker/engines/strands/checkpoint/told.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const file = (path: string, text: string) => ({
  key: `file ${path}`,
  value: '{}',
  digest: `digest of ${text}`,
  bytes: bytes(text),
})

it('tells what differs, with the bytes that the host does not have', () => {
  const told = new Told()
  const kept = new KeptCheckpoint({ maxBytes: 100, maxText: 10_000 })
  const tell = (...facts: Parameters<Told['tell']>[0]) => {
    const parts = told.tell(facts)
    for (const part of parts) expect(kept.take(part)).toBe('taken')
    return parts.map(({ contents, entries, forgotten }) => [
      contents.map((one) => Buffer.from(one.bytes).toString()),
      entries.map(({ key }) => key),
      forgotten,
    ])
  }
  expect(tell(file('/a', 'one'), file('/b', 'one'))).toEqual([[['one'], ['file /a', 'file /b'], []]])
  expect(tell(file('/a', 'one'), file('/b', 'one'))).toEqual([])
  expect(told.hasContent('digest of one')).toBe(true)
  expect(tell(file('/a', 'two'), file('/c', 'one'))).toEqual([[['two'], ['file /a', 'file /c'], ['file /b']]])
  expect(tell(file('/a', 'two'))).toEqual([[[], [], ['file /c']]])
  expect([told.hasContent('digest of one'), kept.size.bytes]).toEqual([false, 3])
  expect(tell(file('/a', 'two'), file('/d', 'one'))).toEqual([[['one'], ['file /d'], []]])
  expect(kept.facts.entries.map(({ key }) => key)).toEqual(['file /a', 'file /d'])
})

it('goes on from what the host has told', () => {
  const told = new Told()
  const entry = { key: 'file /a', value: '{}', content: 7 }
  told.restored(
    [entry],
    new Map([
      [7, 'digest of one'],
      [9, 'digest of none'],
    ]),
  )
  expect(told.hasContent('digest of none')).toBe(false)
  expect(told.tell([file('/a', 'one')])).toEqual([])
  const [part] = told.tell([file('/a', 'one'), file('/b', 'two')])
  expect(part?.contents.map(({ id }) => id)).toEqual([10])
})
