import { closeSync, constants, openSync, readSync } from 'node:fs'
import { type ConnectOpts, Socket, type SocketConstructorOpts } from 'node:net'

/** Bytes that are read at once. Reading ends with handling them, so that all pipes of a thread share them. */
const buffer = Buffer.alloc(64 * 1024)

/** More than a pipe holds: what was written before is read with so many bytes. */
const MOST_IN_PIPE = 1024 * 1024

/** The reading end of a named pipe. It is open for writing too, so that it never ends. */
export class Fifo {
  readonly #fd: number
  readonly #socket: Socket
  readonly #onData: (bytes: Buffer) => void
  #closed = false

  /** @param onData - takes bytes that are good until it returns. */
  constructor(path: string, onData: (bytes: Buffer) => void) {
    this.#onData = onData
    this.#fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
    try {
      const options: SocketConstructorOpts & ConnectOpts = {
        fd: this.#fd,
        readable: true,
        writable: false,
        onread: {
          buffer,
          callback: (count) => {
            onData(buffer.subarray(0, count))
            return true
          },
        },
      }
      this.#socket = new Socket(options)
    } catch (error) {
      closeSync(this.#fd)
      throw error
    }
    // A pipe that cannot be read is one of a jail that has ended, which is told by its process.
    this.#socket.on('error', () => undefined)
    this.#socket.unref()
  }

  /** Takes what was written until now. */
  drain(): void {
    for (let read = 0; read <= MOST_IN_PIPE && !this.#closed; ) {
      const count = this.#read()
      if (count === 0) return
      read += count
      this.#onData(buffer.subarray(0, count))
    }
  }

  close(): void {
    this.#closed = true
    this.#socket.destroy()
  }

  #read(): number {
    const { stackTraceLimit } = Error
    // That a pipe is empty is no fault, and a stack takes longer than the reading.
    Error.stackTraceLimit = 0
    try {
      return readSync(this.#fd, buffer, 0, buffer.length, null)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return 0
      throw error
    } finally {
      Error.stackTraceLimit = stackTraceLimit
    }
  }
}
