import { type LossCode, SandboxTimeoutError } from '../../src/index.ts'
import type { Act, Plan } from '../act.ts'
import type { Resident } from '../roles/resident.ts'
import { Violation } from '../violation.ts'

/** Closes the sandbox; the next act opens another. */
export const renew: Plan<Resident> = () => ({
  text: 'close',
  play: (resident) => resident.end(),
})

/** A command that costs the session. */
export interface Fatal {
  readonly name: string
  readonly reasons: readonly LossCode[]
  readonly command: string
  /** Seconds after which the caller gives up, which resets the session. */
  readonly timeout?: number
}

/** Runs such a command: the session is lost for the reason that belongs to it, and nothing else is. */
export function fatality({ name, reasons, command, timeout }: Fatal): Act<Resident> {
  return {
    text: name,
    play: async (resident) => {
      const life = await resident.life()
      const victims = life.id === undefined ? [] : [life.id]
      const strike = resident.world.losses.strike({ reasons, victims })
      try {
        const { exitCode, stderr } = await life.call(name, (it) => it.execute(command, { timeout }))
        throw new Violation(`${name} did not cost the session: exit code ${exitCode}, ${stderr}`)
      } catch (error) {
        if (!(error instanceof SandboxTimeoutError && timeout !== undefined)) throw error
      } finally {
        strike.cancel() // Where the session had been lost before, this command never ran.
      }
    },
  }
}

/** The engine panics: at every level one session is lost. */
export const panic: Plan<Resident> = () =>
  fatality({
    name: 'panic',
    reasons: ['ENGINE_PANIC'],
    command: 'echo $(( (-9223372036854775807-1) / -1 ))',
  })

/** Inputs that end their process, fill its memory, or run for ever: for a sandbox that is alone in its cell. */
export const havoc: Plan<Resident> = (random) =>
  fatality(
    random.pick<Fatal>([
      { name: 'stack overflow', reasons: ['CELL_EXITED', 'CELL_MEMORY'], command: "jq -n 'def f: [f]; f'" },
      { name: 'allocation', reasons: ['CELL_EXITED'], command: 'echo a | tail -n 100000000000' },
      { name: 'memory', reasons: ['CELL_MEMORY'], command: 'head -n1 /dev/zero' },
      { name: 'endless command', reasons: ['RESET'], command: 'cat /dev/zero > /dev/null', timeout: 0.3 },
    ]),
  )
