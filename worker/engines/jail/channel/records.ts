/** What comes on the pipe of the status. Texts are data of the jail: whoever runs there can write them. */
export type StatusRecord =
  /** A shell has begun, in a directory. */
  | { readonly kind: 'ready'; readonly pid: number; readonly directory: string }
  /** The lines of a command are read. */
  | { readonly kind: 'begun'; readonly sequence: number }
  /** A command has ended. */
  | {
      readonly kind: 'done'
      readonly sequence: number
      readonly status: number
      readonly directory: string
      /** The number of the last job in the background; empty where there was none. */
      readonly job: string
      /** The trap of `EXIT` as the shell prints it. */
      readonly trap: string
    }
  /** The shell has ended, and what the next one has of it: all, all but its functions, or nothing. */
  | { readonly kind: 'ended'; readonly status: number; readonly kept: Kept }

export type Kept = (typeof KEPT)[number]
const KEPT = ['all', 'variables', 'nothing'] as const

/** Fields of each record after its trap and its kind, which all have. */
const FIELDS: Readonly<Record<string, number>> = { R: 2, B: 1, D: 4, E: 2 }

/** Characters of one record. */
const MOST = 4 * 1024 * 1024

/** Takes records apart: fields end with NUL. */
export class Records {
  readonly #onRecord: (record: StatusRecord) => void
  #bytes: Buffer[] = []
  #size = 0

  constructor(onRecord: (record: StatusRecord) => void) {
    this.#onRecord = onRecord
  }

  /** @throws Error for what is no record */
  take(bytes: Buffer): void {
    this.#bytes.push(Buffer.from(bytes))
    this.#size += bytes.length
    if (this.#size > MOST) throw new Error('a record of the status is too long')
    if (bytes.at(-1) !== 0) return
    const fields = Buffer.concat(this.#bytes).toString().split('\0')
    fields.pop()
    while (fields.length > 1) {
      const count = FIELDS[fields[1] ?? '']
      if (count === undefined) throw new Error('a record of the status has no known kind')
      if (fields.length < count + 2) break
      this.#onRecord(recordOf(fields.splice(0, count + 2)))
    }
    this.#bytes = fields.length === 0 ? [] : [Buffer.from(fields.map((field) => `${field}\0`).join(''))]
    this.#size = this.#bytes[0]?.length ?? 0
  }
}

function recordOf([
  trap = '',
  kind,
  first = '',
  second = '',
  directory = '',
  job = '',
]: string[]): StatusRecord {
  if (kind === 'R') return { kind: 'ready', pid: numberOf(first), directory: second }
  if (kind === 'B') return { kind: 'begun', sequence: numberOf(first) }
  if (kind === 'E')
    return {
      kind: 'ended',
      status: numberOf(first) & 0xff,
      kept: KEPT.find((word) => word === second) ?? 'nothing',
    }
  return {
    kind: 'done',
    sequence: numberOf(first),
    status: numberOf(second) & 0xff,
    directory,
    job,
    trap,
  }
}

function numberOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Error('a record of the status has no number where one belongs')
  return Number(text)
}
