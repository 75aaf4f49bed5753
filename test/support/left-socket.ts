import { spawnSync } from 'node:child_process'
import { mkdtemp, utimes } from 'node:fs/promises'
import { join } from 'node:path'

const anHour = 3600

/** Makes the directory of a proxy's socket as a process that was killed an hour ago has left it. */
export async function leftSocket(parent: string): Promise<string> {
  const directory = await mkdtemp(join(parent, 'shell-runtime-egress-'))
  const program = `require('net').createServer().listen('${directory}/proxy.sock', () => process.kill(process.pid, 'SIGKILL'))`
  spawnSync(process.execPath, ['-e', program])
  await makeOlder(directory)
  return directory
}

/** Has a directory been written an hour ago. */
export async function makeOlder(directory: string): Promise<void> {
  const then = Date.now() / 1000 - anHour
  await utimes(directory, then, then)
}
