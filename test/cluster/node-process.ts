import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
import type { ClusterNodeOptions } from '../../src/cluster/index.ts'
import { program } from '../fixtures/program.ts'

/** The token of every node of a test. */
export const token = 'a-token-of-a-cluster-of-tests'

/** A node in a process of its own. */
export interface NodeProcess {
  readonly instance: string
  readonly url: string
  readonly process: ChildProcess
  /** Ends it with this signal, and resolves when it has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

/**
 * Starts a node.
 *
 * @param options - those that JSON can carry.
 * @param audit - the file of its audit log.
 * @param preloaded - the source of a program that the process imports first.
 */
export async function startNode(
  options: Partial<ClusterNodeOptions>,
  audit?: string,
  preloaded?: string,
): Promise<NodeProcess> {
  const given = { tokens: [{ token, name: 'tester' }], ...options }
  const child = spawn(
    process.execPath,
    [
      ...(preloaded === undefined ? [] : ['--import', pathToFileURL(program(preloaded)).href]),
      program('test/cluster/children/node.ts'),
      JSON.stringify(given),
      ...(audit === undefined ? [] : [audit]),
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const exited = once(child, 'exit')
  const begun = await Promise.race([once(child.stdout, 'data'), exited.then(() => undefined)])
  if (begun === undefined) throw new Error('The node has ended before it listened.')
  const { instance, url } = JSON.parse(String(begun[0]))
  return {
    instance,
    url,
    process: child,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal)
      if (signal === 'SIGKILL') child.kill('SIGCONT')
      await exited
    },
  }
}
