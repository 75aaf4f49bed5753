import { lstat, readdir, rmdir, unlink } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { errorCode } from '../sandbox/error-code.ts'

/** What directories of sockets begin with. */
export const directoryPrefix = 'shell-runtime-egress-'
export const socketName = 'proxy.sock'
/** Milliseconds after which a directory is not one that a process is still making. */
const settledAfter = 60_000

/**
 * Removes directories of sockets that processes of this user left behind that were killed: nobody listens there. A number
 * of a process would not tell, as other containers can have the same directory.
 */
export async function removeLeftSockets(parent: string): Promise<void> {
  const names = await readdir(parent)
  for (const name of names.filter((one) => one.startsWith(directoryPrefix))) {
    const directory = join(parent, name)
    if (await isLeft(directory)) await remove(directory)
  }
}

/** By calls that reject: under Node's permission model `rm` throws where nobody catches it. */
async function remove(directory: string): Promise<void> {
  await unlink(join(directory, socketName))
  await rmdir(directory)
}

async function isLeft(directory: string): Promise<boolean> {
  // Another process was faster.
  const found = await lstat(directory).catch(() => undefined)
  if (found === undefined || found.uid !== process.getuid?.() || !found.isDirectory()) return false
  if (Date.now() - found.mtimeMs < settledAfter) return false
  return new Promise((resolve) => {
    const socket = connect(join(directory, socketName), () => {
      socket.destroy()
      resolve(false)
    })
    socket.once('error', (error) => resolve(errorCode(error) === 'ECONNREFUSED'))
    socket.unref()
  })
}
