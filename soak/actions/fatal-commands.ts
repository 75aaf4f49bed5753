import { type LossCode, SandboxTimeoutError } from '../../src/index.ts'
import type { Action, Plan } from '../action.ts'
import type { Resident } from '../roles/resident.ts'
import { Violation } from '../violation.ts'

/** Closes the sandbox. The next action opens another. */
export const renew: Plan<Resident> = () => ({
  text: 'close',
  perform: (resident) => resident.end(),
})

/** A command that ends its session. */
interface FatalCommand {
  readonly name: string
  readonly reasons: readonly LossCode[]
  readonly command: string
  /** Seconds after which the call times out, which resets the session. */
  readonly timeout?: number
}

/** Runs such a command. Its session, and no other, is lost for one of its reasons. */
export function fatalAction({ name, reasons, command, timeout }: FatalCommand): Action<Resident> {
  return {
    text: name,
    perform: async (resident) => {
      const tracked = await resident.tracked()
      const victims = tracked.id === undefined ? [] : [tracked.id]
      const fault = resident.context.losses.announce({ reasons, victims })
      try {
        const { exitCode, stderr } = await tracked.call(name, (it) => it.execute(command, { timeout }))
        throw new Violation(`${name} did not end the session: exit code ${exitCode}, ${stderr}`)
      } catch (error) {
        if (!(error instanceof SandboxTimeoutError && timeout !== undefined)) throw error
      } finally {
        fault.cancel() // If the session was lost before, this command never ran.
      }
    },
  }
}

/** Makes the engine panic. At every level only this session is lost. */
export const panic: Plan<Resident> = () =>
  fatalAction({
    name: 'panic',
    reasons: ['ENGINE_PANIC'],
    command: 'find /tmp -maxdepth 0 -exec [ a = ] \\;',
  })

/** Commands that crash the process, fill its memory, or never end, for a sandbox that is alone in its cell. */
export const havoc: Plan<Resident> = (random) =>
  fatalAction(
    random.pick<FatalCommand>([
      { name: 'stack overflow', reasons: ['CELL_EXITED', 'CELL_MEMORY'], command: "jq -n 'def f: [f]; f'" },
      { name: 'allocation', reasons: ['CELL_EXITED'], command: 'echo a | tail -n 100000000000' },
      { name: 'memory', reasons: ['CELL_MEMORY'], command: 'head -n1 /dev/zero' },
      { name: 'endless command', reasons: ['RESET'], command: 'cat /dev/zero > /dev/null', timeout: 0.3 },
    ]),
  )
