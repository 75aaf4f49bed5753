import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** A service, or a node of a cluster, in a process of its own. */
export interface Server {
  readonly url: string
  readonly pid: string
  /** Ends it in order. */
  end(): Promise<void>
}

/** Starts this program again with other words: one that prints its address, and ends when its input does. */
export async function startServer(...words: readonly string[]): Promise<Server> {
  const [node, program = ''] = process.argv
  const child: ChildProcess = spawn(node ?? process.execPath, [program, ...words], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const { stdin, stdout } = child
  if (stdin === null || stdout === null) throw new TypeError('The process has no pipes.')
  const begun = await Promise.race([once(stdout, 'data'), exited.then(() => undefined)])
  if (begun === undefined) throw new Error('A server has ended before it listened.')
  return {
    url: String(begun[0]).trim(),
    pid: String(child.pid),
    end: async () => {
      stdin.end()
      await exited
    },
  }
}
