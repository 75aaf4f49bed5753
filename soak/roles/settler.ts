import { type Repertoire, type Role, roleOf } from '../act.ts'
import { burst, closeUnderCalls, flood, maxPending } from '../acts/bursts.ts'
import { changeDirectory, code, describe, failure, scoped, stream, variable } from '../acts/commands.ts'
import { carry, list, read, remove, write } from '../acts/files.ts'
import { interrupt } from '../acts/interrupts.ts'
import { havoc, panic, renew } from '../acts/lives.ts'
import type { House } from '../house.ts'
import type { World } from '../world.ts'
import { Resident } from './resident.ts'

const peaceful: Repertoire<Resident> = [
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

const repertoire: Repertoire<Resident> = [
  ...peaceful,
  [2, burst],
  [1, flood],
  [2, interrupt],
  [0.7, panic],
  [0.5, renew],
  [0.5, closeUnderCalls],
]

/** Uses one sandbox for everything that a sandbox is for, for as long as it lasts. */
export function settler(onInterrupt: 'keep' | 'reset') {
  return (name: string, world: World, house: House): Role => {
    const resident = new Resident(name, world, house, { onInterrupt, maxPending, timeout: 60 })
    return roleOf(repertoire, resident, () => resident.end())
  }
}

/** Does to its cell, in which nobody else is, what only another process contains. */
export function vandal(name: string, world: World, house: House): Role {
  const allowedUrls = ['https://vandal.example/']
  const resident = new Resident(name, world, house, { onInterrupt: 'reset', allowedUrls })
  const acts: Repertoire<Resident> = [
    [2, write],
    [3, read],
    [1, havoc],
  ]
  return roleOf(acts, resident, () => resident.end())
}
