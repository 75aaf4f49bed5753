import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { ServeOptions } from '../../src/service/index.ts'
import { program } from '../fixtures/program.ts'

/** A service in a process of its own. */
export interface ServerProcess {
  readonly url: string
  readonly token: string
  readonly process: ChildProcess
  /** Ends it with this signal, and resolves when it has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

const token = 'a-token-of-a-server-process'

/**
 * Starts a service.
 *
 * @param options - those that JSON can carry.
 * @param descriptors - that the process may have.
 */
export async function startServer(
  options: Partial<ServeOptions> = {},
  descriptors?: number,
): Promise<ServerProcess> {
  const given = { tokens: [{ token, name: 'tester' }], ...options }
  const node = [process.execPath, program('test/remote/children/serve.ts'), JSON.stringify(given)]
  const limit = descriptors === undefined ? '' : `ulimit -n ${descriptors}; `
  const child = spawn('/bin/sh', ['-c', `${limit}exec "$@"`, 'sh', ...node], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const begun = await Promise.race([once(child.stdout, 'data'), exited.then(() => undefined)])
  if (begun === undefined) throw new Error('The server has ended before it listened.')
  return {
    url: String(begun[0]).trim(),
    token,
    process: child,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal)
      await exited
    },
  }
}
