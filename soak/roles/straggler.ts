import { ActionEnded, type Plan, type Role, roleOf, type WeightedPlans } from '../action.ts'
import { runFatal } from '../actions/fatal-commands.ts'
import type { SoakContext } from '../context.ts'
import type { Level } from '../level.ts'
import { demand, demandSame } from '../violation.ts'
import { reachable } from './courier.ts'
import { Resident } from './resident.ts'

/** Seconds a command may run. */
const timeout = 3

/** The state of an actor whose commands have short deadlines. On a busy machine some miss them without a fault. */
class Straggler {
  readonly resident: Resident
  #made = 0
  #missed = 0

  constructor(name: string, context: SoakContext, level: Level) {
    this.resident = new Resident(name, context, level, { timeout, allowedUrls: reachable(context) })
  }

  /** Runs `work`, which may miss its deadline on a busy machine. @throws {Violation} where too many did */
  async inTime(work: () => Promise<void>): Promise<void> {
    const { context, name } = this.resident
    const mayHit = (id = '') => id.startsWith(`${name}.`)
    const fault = context.losses.announce({ reasons: ['DEADLINE_IGNORED'], mayHit })
    this.#made += 1
    try {
      await work()
    } catch (error) {
      if (error instanceof ActionEnded && error.message.endsWith('DEADLINE_IGNORED')) this.#missed += 1
      throw error
    } finally {
      fault.over()
      demand(
        this.#missed <= 3 + this.#made / 10,
        () => `${this.#missed} of ${this.#made} deadlines were missed`,
      )
    }
  }
}

/** Runs a command until the engine's deadline ends it. The session survives. */
const late: Plan<Straggler> = () => ({
  text: 'sleep past the timeout',
  perform: (straggler) =>
    straggler.inTime(async () => {
      const { resident } = straggler
      const tracked = await resident.tracked()
      const mark = resident.mark()
      resident.model.maySet('$MARK', mark)
      const { exitCode, stdout } = await tracked.call('late', (it) =>
        it.execute(`MARK='${mark}'; echo a; sleep 20`),
      )
      demandSame([exitCode, stdout], [124, 'a\n'], 'the result of a command that took too long')
      resident.model.set('$MARK', mark)
    }),
})

/** Checks that the session survived. */
const quick: Plan<Straggler> = () => ({
  text: 'quick command',
  perform: (straggler) =>
    straggler.inTime(async () => {
      const { resident } = straggler
      const tracked = await resident.tracked()
      const mark = resident.mark()
      const { stdout } = await tracked.call('quick', (it) => it.execute('printf %s "$MARK"'))
      resident.model.read('$MARK', stdout === '' ? undefined : stdout)
      resident.model.maySet('$MARK', mark)
      await tracked.call('set', (it) => it.execute(`MARK='${mark}'`))
      resident.model.set('$MARK', mark)
    }),
})

/** Runs commands past their deadline. Where the engine does not end one, the session is lost. */
export function straggler(name: string, context: SoakContext, level: Level): Role {
  const stage = new Straggler(name, context, level)
  const overdue = context.shell.overdue(`${context.origins.public}/slow/`, timeout)
  const plans: WeightedPlans<Straggler> = [
    [1, late],
    [1, () => ({ text: overdue.name, perform: ({ resident }) => runFatal(resident, overdue) })],
    [6, quick],
  ]
  return roleOf(plans, stage, () => stage.resident.end())
}
