import { isRecord } from '../../sandbox/is-record.ts'
import { parseJson } from '../json-text.ts'

/** A line of an audit log. Its fields are those of its event, as far as whoever wrote it was right. */
export interface LogLine {
  readonly kind: string
  /** As it is written. */
  readonly time: string
  readonly fields: Readonly<Record<string, unknown>>
  /** Without its line break. */
  readonly bytes: Buffer
}

/** Reads a line of an audit log; undefined for what is none. */
export function readLine(bytes: Buffer): LogLine | undefined {
  const { value } = parseJson(bytes.toString())
  if (!isRecord(value)) return undefined
  const { kind, time } = value
  if (typeof kind !== 'string' || typeof time !== 'string' || Number.isNaN(Date.parse(time))) return undefined
  return { kind, time, fields: value, bytes }
}
