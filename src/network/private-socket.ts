import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atExit } from '../async/at-exit.ts'
import { SandboxIoError } from '../sandbox/errors.ts'
import { exhaustionCode } from '../sandbox/exhaustion.ts'
import { errorMessage } from '../sandbox/kinds.ts'
import { forbiddenByNode } from '../sandbox/permission-model.ts'
import { directoryPrefix, removeLeftSockets, socketName } from './left-sockets.ts'

/** Bytes that the system allows for the path of a Unix socket. */
const longestPath = 107
/** Where the socket is if the path of the directory for temporary files is too long. */
const shortDirectory = '/tmp'

/** Directories that were looked through for what others left behind, once a process. */
const swept = new Set<string>()

/** A Unix socket in a directory that only this user can enter. It keeps no process alive. */
export class PrivateSocket {
  readonly path: string
  readonly #server: Server
  readonly #removeDirectory: () => void
  readonly #forget: () => void

  /**
   * Listens in a new directory for temporary files.
   *
   * @throws {SandboxIoError} where no directory can be made
   * @throws the system's error
   */
  static async listen(
    onConnection: (socket: Socket) => void,
    mostConnections: number,
  ): Promise<PrivateSocket> {
    const directory = await makeDirectory()
    const path = join(directory, socketName)
    const server = createServer({ allowHalfOpen: true }, onConnection)
    server.maxConnections = mostConnections
    const socket = new PrivateSocket(path, server, directory)
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject).listen(path, resolve)
      })
    } catch (error) {
      socket.close()
      throw error
    }
    // What cannot be accepted fails at its client; without a listener it would end this process.
    server.on('error', () => undefined).unref()
    return socket
  }

  private constructor(path: string, server: Server, directory: string) {
    this.path = path
    this.#server = server
    this.#removeDirectory = () => rmSync(directory, { recursive: true, force: true })
    this.#forget = atExit(this.#removeDirectory)
  }

  /** Takes no more connections; those that there are stay. */
  close(): void {
    this.#forget()
    this.#server.close()
    this.#removeDirectory()
  }
}

async function makeDirectory(): Promise<string> {
  const prefix = (parent: string) => join(parent, directoryPrefix)
  const longest = join(`${prefix(tmpdir())}XXXXXX`, socketName)
  const parent = Buffer.byteLength(longest) > longestPath ? shortDirectory : tmpdir()
  sweep(parent)
  try {
    return await mkdtemp(prefix(parent))
  } catch (cause) {
    if (exhaustionCode(cause) !== undefined || forbiddenByNode(cause) !== undefined) throw cause
    const message = `No directory for the socket of the proxy can be made in '${parent}': ${errorMessage(cause)}. Make room there, or set TMPDIR to a directory that this process can write.`
    throw new SandboxIoError(message, { path: parent, cause })
  }
}

function sweep(parent: string): void {
  if (swept.has(parent)) return
  swept.add(parent)
  // What cannot be removed stays there, and stands in nobody's way.
  removeLeftSockets(parent).catch(() => undefined)
}
