import { type Role, roleOf, type WeightedPlans } from '../action.ts'
import { burst, closeUnderCalls, flood, maxPending } from '../actions/bursts.ts'
import { changeDirectory, code, describe, failure, scoped, stream, variable } from '../actions/commands.ts'
import { fatal, havoc, renew } from '../actions/fatal-commands.ts'
import { carry, list, read, remove, write } from '../actions/files.ts'
import { interrupt } from '../actions/interrupts.ts'
import type { SoakContext } from '../context.ts'
import type { Level } from '../level.ts'
import { Resident } from './resident.ts'

const peaceful: WeightedPlans<Resident> = [
  [6, write],
  [8, read],
  [2, remove],
  [2, list],
  [1, carry],
  [2, scoped],
  [1, changeDirectory],
  [2, variable],
  [2, code],
  [1, failure],
  [3, stream],
  [0.5, describe],
]

const plans: WeightedPlans<Resident> = [
  ...peaceful,
  [2, burst],
  [1, flood],
  [2, interrupt],
  [0.7, fatal],
  [0.5, renew],
  [0.5, closeUnderCalls],
]

/** Uses one sandbox in every way, until it is lost or closed. */
export function settler(onInterrupt: 'keep' | 'reset') {
  return (name: string, context: SoakContext, level: Level): Role => {
    const resident = new Resident(name, context, level, { onInterrupt, maxPending, timeout: 60 })
    return roleOf(plans, resident, () => resident.end())
  }
}

/** Crashes or bloats its cell, which it shares with nobody. */
export function vandal(name: string, context: SoakContext, level: Level): Role {
  const allowedUrls = ['https://vandal.example/']
  const resident = new Resident(name, context, level, { onInterrupt: 'reset', allowedUrls })
  const actions: WeightedPlans<Resident> = [
    [2, write],
    [3, read],
    [1, havoc],
  ]
  return roleOf(actions, resident, () => resident.end())
}
