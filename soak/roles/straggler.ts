import { ActOver, type Plan, type Repertoire, type Role, roleOf } from '../act.ts'
import { fatality } from '../acts/lives.ts'
import type { House } from '../house.ts'
import { demand, demandSame } from '../violation.ts'
import type { World } from '../world.ts'
import { reachable } from './courier.ts'
import { Resident } from './resident.ts'

/** Seconds a command may run. */
const timeout = 3

/** An actor whose commands have little time: on a machine that stands still, some come too late through no fault. */
class Straggler {
  readonly resident: Resident
  #made = 0
  #missed = 0

  constructor(name: string, world: World, house: House) {
    this.resident = new Resident(name, world, house, { timeout, allowedUrls: reachable(world) })
  }

  /** Does what ends in time but on such a machine. @throws {Violation} where too much of it does not */
  async inTime(work: () => Promise<void>): Promise<void> {
    const { world, name } = this.resident
    const mayHit = (id = '') => id.startsWith(`${name}.`)
    const strike = world.losses.strike({ reasons: ['DEADLINE_IGNORED'], mayHit })
    this.#made += 1
    try {
      await work()
    } catch (error) {
      if (error instanceof ActOver && error.message.endsWith('DEADLINE_IGNORED')) this.#missed += 1
      throw error
    } finally {
      strike.over()
      demand(
        this.#missed <= 3 + this.#made / 10,
        () => `${this.#missed} of ${this.#made} deadlines were missed`,
      )
    }
  }
}

/** Runs until the engine ends it: the session is as it was. */
const late: Plan<Straggler> = () => ({
  text: 'sleep past the timeout',
  play: (straggler) =>
    straggler.inTime(async () => {
      const { resident } = straggler
      const life = await resident.life()
      const mark = resident.mark()
      const { exitCode, stdout } = await life.call('late', (it) =>
        it.execute(`MARK='${mark}'; echo a; sleep 20`),
      )
      demandSame([exitCode, stdout], [124, 'a\n'], 'the result of a command that took too long')
      resident.model.set('$MARK', mark)
    }),
})

/** Shows that the session is as it was. */
const quick: Plan<Straggler> = () => ({
  text: 'quick command',
  play: (straggler) =>
    straggler.inTime(async () => {
      const { resident } = straggler
      const life = await resident.life()
      const mark = resident.mark()
      const { stdout } = await life.call('quick', (it) => it.execute(`printf %s "$MARK"; MARK='${mark}'`))
      resident.model.read('$MARK', stdout === '' ? undefined : stdout)
      resident.model.set('$MARK', mark)
    }),
})

/** Runs past its time limit: where the engine does not end it, the session is given up. */
export function straggler(name: string, world: World, house: House): Role {
  const stage = new Straggler(name, world, house)
  const overdue = fatality({
    name: 'request that is answered too late',
    reasons: ['DEADLINE_IGNORED'],
    command: `curl -s ${world.origins.public}/slow/${timeout + 4}`,
  })
  const repertoire: Repertoire<Straggler> = [
    [1, late],
    [1, () => ({ text: overdue.text, play: ({ resident }) => overdue.play(resident) })],
    [6, quick],
  ]
  return roleOf(repertoire, stage, () => stage.resident.end())
}
