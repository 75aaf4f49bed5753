import type { Random } from './random.ts'

/** One thing that an actor does. The seed alone decides what it is; the state of the run decides how it ends. */
export interface Action<Stage> {
  /** A description for people, equal for equal seeds. */
  readonly text: string
  readonly perform: (stage: Stage) => Promise<void>
}

/** Makes one kind of action, with its details drawn at random. */
export type Plan<Stage> = (random: Random) => Action<Stage>

/** Plans with their relative frequencies. */
export type WeightedPlans<Stage> = readonly (readonly [weight: number, plan: Plan<Stage>])[]

/** What an actor does: chooses actions and performs them. */
export interface Role {
  choose(random: Random): Action<void>
  /** Closes the sandboxes and hosts that it has open. */
  end(): Promise<void>
}

/** A role that performs actions of `plans` on `stage`. */
export function roleOf<Stage>(plans: WeightedPlans<Stage>, stage: Stage, end: () => Promise<void>): Role {
  return {
    choose: (random) => {
      const { text, perform } = random.weighted(plans)(random)
      return { text, perform: () => perform(stage) }
    },
    end,
  }
}

/** Ends an action early because its sandbox was lost or closed. That is no violation. */
export class ActionEnded extends Error {
  constructor(why: string) {
    super(why)
    this.name = 'ActionEnded'
  }
}
