import type { Random } from './random.ts'

/** One thing that an actor does: decided by its seed alone, and then done with whatever is there. */
export interface Act<Stage> {
  /** What is done, for people; the same for the same seed. */
  readonly text: string
  readonly play: (stage: Stage) => Promise<void>
}

/** Decides how one kind of act is done. */
export type Plan<Stage> = (random: Random) => Act<Stage>

/** Plans, each with how often it is chosen. */
export type Repertoire<Stage> = readonly (readonly [weight: number, plan: Plan<Stage>])[]

/** What an actor is: chooses its acts, and does them. */
export interface Role {
  choose(random: Random): Act<void>
  /** Closes what it has open. */
  end(): Promise<void>
}

/** A role that does the acts of a repertoire with what it has. */
export function roleOf<Stage>(repertoire: Repertoire<Stage>, stage: Stage, end: () => Promise<void>): Role {
  return {
    choose: (random) => {
      const { text, play } = random.weighted(repertoire)(random)
      return { text, play: () => play(stage) }
    },
    end,
  }
}

/** Ends an act early: its sandbox was lost or closed under it, as it may be. */
export class ActOver extends Error {
  constructor(why: string) {
    super(why)
    this.name = 'ActOver'
  }
}
