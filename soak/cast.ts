import type { Worker } from 'node:worker_threads'
import type { Role } from './act.ts'
import { Actor } from './actor.ts'
import type { House } from './house.ts'
import { batcher } from './roles/batcher.ts'
import { collaborator } from './roles/collaborator.ts'
import { courier } from './roles/courier.ts'
import { passerBy } from './roles/passer-by.ts'
import { regular } from './roles/regular.ts'
import { saboteur } from './roles/saboteur.ts'
import { settler, vandal } from './roles/settler.ts'
import { sleeper } from './roles/sleeper.ts'
import { straggler } from './roles/straggler.ts'
import type { World } from './world.ts'

type MakeRole = (name: string, world: World, house: House) => Role

/** Who takes part, in the order of importance. */
const parts: readonly (readonly [name: string, make: MakeRole])[] = [
  ['settler', settler('keep')],
  ['passer-by', passerBy],
  ['collaborator', collaborator],
  ['courier', courier],
  ['resetter', settler('reset')],
  ['batcher', batcher],
  ['sleeper', sleeper],
  ['straggler', straggler],
]

/** Who takes part besides where there are cells. */
const inCells: typeof parts = [
  ['vandal', vandal],
  ['regular', regular],
]

/** So many actors for a house: each part once before one is taken twice. */
export function castOf(world: World, house: House, count: number): readonly Actor[] {
  const own: typeof parts = house.level === 'process' ? [...parts, ...inCells] : parts
  return Array.from({ length: count }, (_, index) => {
    const [part, make] = own[index % own.length] ?? ['settler', settler('keep')]
    const name = `${house.level}-${part}-${index}`
    return new Actor(name, make(name, world, house), house.gate)
  })
}

/** Who injects the faults of a house. */
export function saboteurOf(world: World, house: House, workers: ReadonlySet<Worker>): Actor {
  return new Actor(`${house.level}-saboteur`, saboteur(world, house, workers))
}
