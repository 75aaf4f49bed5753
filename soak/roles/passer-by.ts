import { SandboxAbortError } from '../../src/index.ts'
import { type Plan, type Role, roleOf, type WeightedPlans } from '../action.ts'
import type { SoakContext } from '../context.ts'
import type { Level } from '../level.ts'
import type { Random } from '../random.ts'
import { TrackedSandbox } from '../tracked-sandbox.ts'
import { demandSame } from '../violation.ts'

/** The state of an actor that uses each sandbox briefly, on the lasting host of its level. */
export class PasserBy {
  readonly name: string
  readonly context: SoakContext
  readonly level: Level
  #marks = 0

  constructor(name: string, context: SoakContext, level: Level) {
    this.name = name
    this.context = context
    this.level = level
  }

  mark(): string {
    return `${this.name}#${++this.#marks}`
  }

  begin(): Promise<TrackedSandbox> {
    return TrackedSandbox.open(this.context, this.level.lasting, {})
  }
}

/** Opens sandboxes one after another. Each is empty at first, and is closed or dropped after use. */
const visit: Plan<PasserBy> = (random) => {
  const ends = Array.from({ length: 2 + random.below(4) }, () => endOf(random))
  return {
    text: `visit: ${ends.join(', ')}`,
    perform: async (actor) => {
      for (const end of ends) {
        const tracked = await actor.begin()
        await use(tracked, actor).catch((error: unknown) => {
          tracked.drop()
          throw error
        })
        if (end === 'drop') tracked.drop()
        else if (end === 'close') await tracked.close()
        else await closeUnder(tracked)
      }
    },
  }
}

/** Aborts an opening that is queued, running or done. */
const abortOpening: Plan<PasserBy> = (random) => {
  const after = Math.floor(random.between(0, 20))
  return {
    text: `abort an opening after ${after} ms`,
    perform: async ({ context, level }) => {
      const signal = AbortSignal.timeout(after)
      try {
        const open = () => level.lasting.open({}, { signal })
        const sandbox = await context.calls.track('open and abort', open)
        await sandbox.close()
      } catch (error) {
        if (!(error instanceof SandboxAbortError)) throw error
      }
    },
  }
}

const plans: WeightedPlans<PasserBy> = [
  [6, visit],
  [1, abortOpening],
]

/** Opens, uses and closes or drops sandboxes. */
export function passerBy(name: string, context: SoakContext, level: Level): Role {
  return roleOf(plans, new PasserBy(name, context, level), () => Promise.resolve())
}

function endOf(random: Random): 'close' | 'drop' | 'close under a call' {
  return random.weighted([
    [7, 'close'],
    [3, 'drop'],
    [2, 'close under a call'],
  ])
}

/** Checks that a sandbox is empty, and uses it. */
export async function use(
  tracked: TrackedSandbox,
  actor: { readonly context: SoakContext; mark(): string },
): Promise<void> {
  const mark = actor.mark()
  const { stdout } = await tracked.call('look around', (it) => it.execute('pwd; ls /tmp; echo "$MARK."'))
  demandSame(stdout, `${actor.context.shell.home}\n.\n`, 'what there is in a new sandbox')
  await tracked.call('write', (it) => it.writeText('/tmp/mark', mark))
  await tracked.call('set', (it) => it.setEnv('MARK', mark))
  demandSame(await tracked.call('read', (it) => it.readText('/tmp/mark')), mark, 'a file of a new sandbox')
}

async function closeUnder(tracked: TrackedSandbox): Promise<void> {
  const call = tracked.call('be closed', (it) => it.execute('sleep 0.05'))
  const [, closed] = await Promise.allSettled([call, tracked.close()])
  if (closed.status === 'rejected') throw closed.reason
}
