import { ProtocolError } from '../sandbox/errors.ts'

/** One event of a stream. */
export interface ServerSentEvent {
  /** Its number in the stream; undefined for one that is not counted. */
  readonly id: number | undefined
  /** What kind it is. */
  readonly event: string
  /** JSON. */
  readonly data: string
}

/** Writes an event. Its data is JSON on one line. */
export function encodeEvent({ id, event, data }: ServerSentEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`
}

/** A line that is no event, and keeps the connection from looking idle. */
export const PING = ': ping\n\n'

/** Characters of one event that is read, at most. */
const longest = 256 * 2 ** 20

/** Reads events out of text as it comes. */
export class EventReader {
  /** What has come of an event that has not ended, but a line feed at its end: the next piece may end it. */
  readonly #pieces: string[] = []
  readonly #most: number
  #length = 0
  #held = ''

  /** @param most - characters of one event. */
  constructor(most = longest) {
    this.#most = most
  }

  /** The events that end in this piece. @throws {ProtocolError} for one that is too long */
  read(piece: string): readonly ServerSentEvent[] {
    const events: ServerSentEvent[] = []
    const blocks = (this.#held + piece).split('\n\n')
    const rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = parse([...this.#pieces.splice(0), block].join(''))
      this.#length = 0
      if (event !== undefined) events.push(event)
    }
    this.#held = rest.endsWith('\n') ? '\n' : ''
    const kept = rest.slice(0, rest.length - this.#held.length)
    this.#pieces.push(kept)
    this.#length += kept.length
    if (this.#length > this.#most)
      throw new ProtocolError(`An event of the stream has more than ${this.#most} characters.`)
    return events
  }
}

function parse(block: string): ServerSentEvent | undefined {
  const fields: Record<'id' | 'event' | 'data', string> = { id: '', event: 'message', data: '' }
  for (const line of block.split('\n')) {
    const colon = line.indexOf(': ')
    const name = line.slice(0, colon)
    if (name === 'id' || name === 'event' || name === 'data') fields[name] = line.slice(colon + 2)
  }
  if (fields.data === '') return undefined
  const id = fields.id === '' ? undefined : Number(fields.id)
  return { id: Number.isSafeInteger(id) ? id : undefined, event: fields.event, data: fields.data }
}
