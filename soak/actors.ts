import type { Worker } from 'node:worker_threads'
import type { Role } from './action.ts'
import { Actor } from './actor.ts'
import type { SoakContext } from './context.ts'
import type { Level } from './level.ts'
import { batcher } from './roles/batcher.ts'
import { collaborator, partner } from './roles/collaborator.ts'
import { commander } from './roles/commander.ts'
import { courier } from './roles/courier.ts'
import { passerBy } from './roles/passer-by.ts'
import { prisoner } from './roles/prisoner.ts'
import { regular } from './roles/regular.ts'
import { saboteur } from './roles/saboteur.ts'
import { settler, vandal } from './roles/settler.ts'
import { sleeper } from './roles/sleeper.ts'
import { straggler } from './roles/straggler.ts'

type MakeRole = (name: string, context: SoakContext, level: Level) => Role

/** The roles at every level, the most important first. */
const roles: readonly (readonly [name: string, make: MakeRole])[] = [
  ['settler', settler('keep')],
  ['passer-by', passerBy],
  ['collaborator', collaborator],
  ['courier', courier],
  ['resetter', settler('reset')],
  ['batcher', batcher],
  ['sleeper', sleeper],
  ['straggler', straggler],
]

/** Further roles at the level `'process'`. */
const inCells: typeof roles = [
  ['vandal', vandal],
  ['regular', regular],
]

/** Further roles in threads of bash. */
const inBashThreads: typeof roles = [['partner', partner]]

/** A further role in threads, where jails are in the run. */
const inJails: typeof roles = [['prisoner', prisoner]]

function rolesOf({ shell, jails }: SoakContext, { isolation }: Level): typeof roles {
  const both: typeof roles = shell.name === 'bash' ? [...roles, ['commander', commander]] : roles
  if (isolation === 'process') return [...both, ...inCells]
  if (shell.name === 'bash') return [...both, ...inBashThreads]
  return jails ? [...both, ...inJails] : both
}

/** Makes `count` actors for a level. Every role has one actor before any has two. */
export function actorsOf(context: SoakContext, level: Level, count: number): readonly Actor[] {
  const own = rolesOf(context, level)
  return Array.from({ length: count }, (_, index) => {
    const [role, make] = own[index % own.length] ?? ['settler', settler('keep')]
    const name = `${level.isolation}-${role}-${index}`
    return new Actor(name, make(name, context, level), level.lock)
  })
}

/** Makes the actor that injects faults at a level. */
export function saboteurOf(context: SoakContext, level: Level, workers: ReadonlySet<Worker>): Actor {
  return new Actor(`${level.isolation}-saboteur`, saboteur(context, level, workers))
}
