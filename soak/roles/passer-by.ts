import { SandboxAbortError } from '../../src/index.ts'
import { type Plan, type Repertoire, type Role, roleOf } from '../act.ts'
import type { House } from '../house.ts'
import { Life } from '../life.ts'
import type { Random } from '../random.ts'
import { demandSame } from '../violation.ts'
import type { World } from '../world.ts'

/** An actor that stays in no sandbox, and whose host lasts. */
export class PasserBy {
  readonly name: string
  readonly world: World
  readonly house: House
  #marks = 0

  constructor(name: string, world: World, house: House) {
    this.name = name
    this.world = world
    this.house = house
  }

  mark(): string {
    return `${this.name}#${++this.#marks}`
  }

  begin(): Promise<Life> {
    return Life.begin(this.world, this.house.lasting, {})
  }
}

/** Opens sandboxes one after another; each is empty at first, and is closed or dropped after its use. */
const visit: Plan<PasserBy> = (random) => {
  const ends = Array.from({ length: 2 + random.below(4) }, () => endOf(random))
  return {
    text: `visit: ${ends.join(', ')}`,
    play: async (actor) => {
      for (const end of ends) {
        const life = await actor.begin()
        await use(life, actor.mark()).catch((error: unknown) => {
          life.drop()
          throw error
        })
        if (end === 'drop') life.drop()
        else if (end === 'close') await life.close()
        else await closeUnder(life)
      }
    },
  }
}

/** Gives an opening up, be it in the queue, under way or done. */
const giveUp: Plan<PasserBy> = (random) => {
  const after = Math.floor(random.between(0, 20))
  return {
    text: `give an opening up after ${after} ms`,
    play: async ({ world, house }) => {
      const signal = AbortSignal.timeout(after)
      try {
        const open = () => house.lasting.open({}, { signal })
        const sandbox = await world.calls.track('open and give up', open)
        await sandbox.close()
      } catch (error) {
        if (!(error instanceof SandboxAbortError)) throw error
      }
    },
  }
}

const repertoire: Repertoire<PasserBy> = [
  [6, visit],
  [1, giveUp],
]

/** Opens, uses and leaves sandboxes. */
export function passerBy(name: string, world: World, house: House): Role {
  return roleOf(repertoire, new PasserBy(name, world, house), () => Promise.resolve())
}

function endOf(random: Random): 'close' | 'drop' | 'close under a call' {
  return random.weighted([
    [7, 'close'],
    [3, 'drop'],
    [2, 'close under a call'],
  ])
}

/** Looks that there is nothing in a sandbox yet, and uses it. */
export async function use(life: Life, mark: string): Promise<void> {
  const { stdout } = await life.call('look around', (it) => it.execute('pwd; ls /tmp; echo "$MARK."'))
  demandSame(stdout, '/home/lash\n.\n', 'what there is in a new sandbox')
  await life.call('write', (it) => it.writeText('/tmp/mark', mark))
  await life.call('set', (it) => it.setEnv('MARK', mark))
  demandSame(await life.call('read', (it) => it.readText('/tmp/mark')), mark, 'a file of a new sandbox')
}

async function closeUnder(life: Life): Promise<void> {
  const call = life.call('be closed', (it) => it.execute('sleep 0.05'))
  const [, closed] = await Promise.allSettled([call, life.close()])
  if (closed.status === 'rejected') throw closed.reason
}
