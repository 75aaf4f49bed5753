import { Fifo } from './fifo.ts'

/** Takes what comes on the two pipes of output. The bytes are good until it returns. */
export interface Sink {
  out(bytes: Buffer): void
  err(bytes: Buffer): void
}

/** What is taken while nothing runs: jobs in the background write when they like. */
const nowhere: Sink = { out: () => undefined, err: () => undefined }

/** The three pipes of a program in a jail. */
export interface ChannelPaths {
  readonly out: string
  readonly err: string
  readonly status: string
}

/** A program in a jail that is given lines, and answers on three pipes. */
export class Channel {
  readonly #out: Fifo
  readonly #err: Fifo
  readonly #status: Fifo
  readonly #write: (line: string) => void
  #sink = nowhere

  /** @param onStatus - takes what comes on the pipe of the status. */
  constructor(
    { out, err, status }: ChannelPaths,
    { write, onStatus }: { write: (line: string) => void; onStatus: (bytes: Buffer) => void },
  ) {
    this.#write = write
    this.#out = new Fifo(out, (bytes) => this.#sink.out(bytes))
    this.#err = new Fifo(err, (bytes) => this.#sink.err(bytes))
    this.#status = new Fifo(status, onStatus)
  }

  /** What is written from now on goes to `sink`. @param hasJobs - whether something may have been written until now. */
  begin(sink: Sink, hasJobs = false): void {
    if (hasJobs) this.#drain()
    this.#sink = sink
  }

  write(line: string): void {
    this.#write(line)
  }

  /** The sink has all that was written until now. */
  end(): void {
    this.#drain()
    this.#sink = nowhere
  }

  close(): void {
    this.#sink = nowhere
    for (const fifo of [this.#out, this.#err, this.#status]) fifo.close()
  }

  #drain(): void {
    this.#out.drain()
    this.#err.drain()
  }
}
