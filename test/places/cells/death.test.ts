import { describe, expect, it } from 'vitest'
import { SessionLoss } from '../../../src/index.ts'
import { until, within } from '../../faults/helpers.ts'
import { isFull } from '../../support/tier.ts'
import { cellPids, isThere } from './cell-pids.ts'
import { cellHost, faultyCell, inhabit, lostBy, ofCell, told } from './helpers.ts'

/** One way for a cell to end. */
interface Death {
  readonly how: string
  /** What a signal sets off in the cell, where the signal alone does not end it. */
  readonly fault?: string
  readonly signal?: NodeJS.Signals
  /** What a sandbox of it runs, where no signal is sent. */
  readonly command?: string
  readonly cause: string
  readonly why: RegExp
  /** What it had printed. */
  readonly output?: RegExp
}

const deaths: readonly Death[] = [
  { how: 'is killed', signal: 'SIGKILL', cause: 'CELL_EXITED', why: /^The cell was ended by SIGKILL\.$/ },
  { how: 'aborts', signal: 'SIGABRT', cause: 'CELL_EXITED', why: /^The cell was ended by SIGABRT\.$/ },
  {
    how: 'cannot allocate',
    command: 'echo | tail -n 100000000000',
    cause: 'CELL_EXITED',
    why: /^The cell was ended by SIGABRT\.$/,
    output: /memory allocation of \d+ bytes failed/,
  },
  {
    how: 'exits',
    fault: 'process.exit(3)',
    cause: 'CELL_EXITED',
    // Native threads of the engine may still run while a process exits.
    why: /^The cell (?:exited with code 3|was ended by SIGSEGV)\.$/,
  },
  {
    how: 'exits well',
    fault: 'process.exit(0)',
    cause: 'CELL_EXITED',
    why: /^The cell exited with code 0\.$/,
  },
  {
    how: 'throws',
    fault: 'throw new Error("a bug of the cell")',
    cause: 'CELL_EXITED',
    why: /^The cell exited with code 1\.$/,
    output: /Error: a bug of the cell/,
  },
  {
    how: 'runs out of heap',
    fault: "Buffer.alloc(2 ** 27 + 2, 97).toString('latin1').split('')",
    cause: 'CELL_EXITED',
    why: /^The cell was ended by SIG(ABRT|TRAP|ILL)\.$/,
    output: /JavaScript heap out of memory/,
  },
  {
    how: 'prints garbage on its pipe',
    fault: "writeSync(3, 'HTTP/1.1 400 Bad Request\\r\\n')",
    cause: 'PROTOCOL',
    why: /frame/,
  },
  {
    how: 'prints garbage on the pipe of a thread',
    fault: "writeSync(6, 'HTTP/1.1 400 Bad Request\\r\\n')",
    cause: 'PROTOCOL',
    why: /frame/,
  },
  {
    how: 'tells on the pipe of a thread what no thread tells',
    fault: "forge({ kind: 'ready' }, 0, 6)",
    cause: 'PROTOCOL',
    why: /^The cell sent something that is not of the contract\. Please report it /,
  },
  {
    how: 'tells what is not of the contract',
    fault: "forge({ kind: 'opened', lane: 'first' })",
    cause: 'PROTOCOL',
    why: /^The cell sent something that is not of the contract\. Please report it /,
  },
  {
    how: 'closes its pipe',
    fault: "import('node:fs').then(({ closeSync }) => closeSync(3))",
    cause: 'CELL_EXITED',
    why: /^The cell closed its pipe\.$/,
  },
]

const byDefault = new Set(['exits well', 'throws', 'prints garbage on its pipe'])

describe('a cell that', () => {
  // The fault matrix has cells that are killed, close their pipes and fill their memory.
  it.each(deaths.filter(({ how }) => isFull || byDefault.has(how)))(
    '$how is reported with its cause to each of its sandboxes once, and to no other sandbox',
    async (death) => {
      const { fault, signal = 'SIGUSR2', command, cause, why, output } = death
      const host = cellHost({
        sandboxesPerCell: 3,
        ...(fault === undefined ? {} : { cellUrl: faultyCell(fault) }),
      })
      const [struck, elsewhere] = await inhabit(host)
      const {
        pid,
        sandboxes: [busy, idle],
      } = struck
      const failing = await host.open(ofCell(0, { onLost: 'fail' }))
      const neighbours = elsewhere.sandboxes
      const working = neighbours.map((sandbox) => told(sandbox.execute('sleep 0.3; echo lives')))
      const pending = ['a', 'b'].map(() => told(busy.execute(command ?? 'sleep 20')))
      await until(() => host.stats().running === 3)
      if (command === undefined) process.kill(pid, signal)

      const loss = lostBy(cause, why)
      expect(await within(60, Promise.all(pending))).toEqual([loss, loss])
      await until(() => idle.status === 'lost' && failing.status === 'lost')
      const calls = [busy, idle, idle, idle, failing, failing].map((sandbox) =>
        told(sandbox.execute('echo back')),
      )
      expect(await within(60, Promise.all(calls))).toEqual(['back\n', loss, 'back\n', 'back\n', loss, loss])
      expect(await Promise.all(working)).toEqual(working.map(() => 'lives\n'))
      expect(neighbours.map(({ status, generation }) => [status, generation])).toEqual(
        neighbours.map(() => ['open', 1]),
      )
      expect([busy.generation, idle.generation, failing.generation]).toEqual([2, 2, 2])
      await until(() => !isThere(pid))
      expect([host.stats().cells, cellPids().length, host.stats().lost]).toEqual([2, 2, 3])
      expect(await outputOf(failing.open())).toEqual(
        output === undefined ? undefined : expect.stringMatching(output),
      )
    },
  )
})

/** What the lost cell had printed. */
async function outputOf(call: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await call.catch((thrown: unknown) => thrown)
  if (error instanceof Error && error.cause instanceof SessionLoss) return error.cause.output
  throw error
}
