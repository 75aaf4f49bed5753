import { setTimeout } from 'node:timers/promises'
import { SandboxTimeoutError } from '../../src/index.ts'
import type { Plan } from '../action.ts'
import type { Resident } from '../roles/resident.ts'
import type { FatalCommand } from '../shells/shell.ts'
import { until } from '../until.ts'
import { Violation } from '../violation.ts'

/** Milliseconds after the loss of a stuck session in which its thread ends, with the sessions beside it. */
const threadAllowance = 4000

/** Closes the sandbox. The next action opens another. */
export const renew: Plan<Resident> = () => ({
  text: 'close',
  perform: (resident) => resident.end(),
})

/** Runs a command that ends its session, for one of its reasons. Where its thread ends with it, so may sessions beside it. */
export async function runFatal(resident: Resident, fatal: FatalCommand): Promise<void> {
  const { name, command, timeout, maySurvive = false } = fatal
  const { context, level, resets } = resident
  const endsThread = context.shell.goesOn && fatal.reasons.includes('DEADLINE_IGNORED')
  const tracked = await resident.tracked()
  const gone = timeout !== undefined && resets ? (['RESET'] as const) : fatal.reasons
  const fault = context.losses.announce({
    reasons: endsThread ? [...gone, 'WORKER_EXITED'] : gone,
    victims: tracked.id === undefined || maySurvive ? [] : [tracked.id],
    mayHit: (id) => id === tracked.id || (endsThread && resident.isNeighbour(id)),
  })
  const { generation } = tracked
  try {
    const { exitCode, stderr } = await tracked.call(name, (it) => it.execute(command, { timeout }))
    if (!maySurvive) throw new Violation(`${name} did not end the session: exit code ${exitCode}, ${stderr}`)
  } catch (error) {
    if (!(error instanceof SandboxTimeoutError && timeout !== undefined)) throw error
    await until(
      () => tracked.generation !== generation || !tracked.isAlive,
      30,
      () => `${name} did not end the session`,
    )
  } finally {
    if (endsThread && level.isolation === 'shared') await setTimeout(threadAllowance)
    fault.cancel() // If the session was lost before, this command never ran.
  }
}

const anyOf =
  (kind: 'fatal' | 'havoc'): Plan<Resident> =>
  (random) => {
    const which = random.next()
    return {
      text: `${kind} command at ${which.toFixed(2)}`,
      perform: (resident) => {
        const commands = resident.context.shell[kind]
        return runFatal(resident, commands[Math.floor(which * commands.length)] ?? commands[0])
      },
    }
  }

/** A command that ends its session: in Strands Shell that one alone, at every level. */
export const fatal: Plan<Resident> = anyOf('fatal')

/** Commands that crash the process, fill its memory, or never end, for a sandbox that is alone in its cell. */
export const havoc: Plan<Resident> = anyOf('havoc')
