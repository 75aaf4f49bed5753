import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  EventReader,
  encodeEvent,
  PING,
  type ServerSentEvent,
} from '../../src/protocol/server-sent-events.ts'
import { cases } from '../support/tier.ts'

test('an event that is too long is an error of the library', () => {
  const reader = new EventReader(10)
  reader.read('data: 1')
  expect(() => reader.read('2345')).toThrow(expect.objectContaining({ code: 'PROTOCOL' }))
})

const event = fc.record({
  id: fc.option(fc.nat(), { nil: undefined }),
  event: fc.constantFrom('output', 'result', 'gap'),
  data: fc.json(),
})

test('events are read as they were written, however the text is cut', () => {
  fc.assert(
    fc.property(fc.array(event), fc.array(fc.nat(40)), (events, cuts) => {
      const text = events.map((each) => encodeEvent(each) + PING).join('')
      const reader = new EventReader()
      const read: ServerSentEvent[] = []
      let at = 0
      for (const cut of [...cuts, text.length]) {
        read.push(...reader.read(text.slice(at, at + cut)))
        at += cut
      }
      expect(read).toEqual(events)
    }),
    { numRuns: cases(200) },
  )
})
