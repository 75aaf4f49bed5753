import type { StrandsShellSandbox } from '../../../src/index.ts'

/** A sandbox that works all along. */
export interface Neighbour {
  /** Replies so far. */
  readonly replies: number
  /** Ends the work. @throws where a reply was not the next one, or there was none */
  stop(): Promise<void>
}

/** Has a sandbox work until it is stopped: each reply tells what the one before left in its files and variables. */
export function neighbour(sandbox: StrandsShellSandbox, name: string): Neighbour {
  let stopped = false
  let replies = 0
  const work = async () => {
    while (!stopped) {
      const { stdout } = await sandbox.execute(
        `cat /tmp/mark; n=$((n + 1)); echo "${name} $n" > /tmp/mark; sleep 0.05`,
      )
      const mark = replies === 0 ? '' : `${name} ${replies}\n`
      if (stdout !== mark) throw new Error(`${name} read ${JSON.stringify(stdout)}, not ${mark}`)
      replies += 1
    }
  }
  const working = work()
  working.catch(() => undefined) // Told by `stop`.
  return {
    get replies() {
      return replies
    },
    stop() {
      stopped = true
      return working
    },
  }
}
