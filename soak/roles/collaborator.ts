import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Plan, type Repertoire, type Role, roleOf } from '../act.ts'
import type { House } from '../house.ts'
import { Model } from '../model.ts'
import { demandSame } from '../violation.ts'
import type { World } from '../world.ts'
import { Resident } from './resident.ts'

const names = ['a', 'b', 'c'] as const

/** An actor that shares directories with the host: one is mirrored, of the other the sandbox has a copy. */
class Collaborator {
  readonly resident: Resident
  /** What the directories of the host hold: it outlives a session. */
  readonly shared = new Model()
  readonly #directory: string

  constructor(name: string, world: World, house: House) {
    this.#directory = join(world.directory, name)
    const binds = (['direct', 'copy'] as const).map((mode) => {
      const source = join(this.#directory, mode)
      mkdirSync(source, { recursive: true })
      return { source, destination: `/${mode}`, mode }
    })
    this.resident = new Resident(name, world, house, { binds })
  }

  /** What a file of the host holds; checked against what it may hold. */
  see(path: string): string | undefined {
    const content = contentOf(join(this.#directory, path))
    this.shared.read(path, content)
    return content
  }

  put(path: string, content: string): void {
    writeFileSync(join(this.#directory, path), content)
    this.shared.set(path, content)
  }
}

/** Writes or appends in the mirrored directory: the host has it when the call resolves. */
const writeOut: Plan<Collaborator> = (random) => {
  const [name, how] = [random.pick(names), random.pick(['>', '>>', 'writeFile'])]
  return {
    text: `mirror ${name} out by ${how}`,
    play: async (collaborator) => {
      const { resident, shared } = collaborator
      const life = await resident.life()
      const path = `direct/${name}`
      const [before, mark] = [collaborator.see(path) ?? '', resident.mark()]
      const after = how === '>>' ? `${before.slice(-2000)}${mark}` : mark
      if (how === '>>' && before.length > 2000) collaborator.put(path, before.slice(-2000))
      shared.maySet(path, after)
      if (how === 'writeFile') await life.call('write out', (it) => it.writeText(`/${path}`, after))
      else await life.call('write out', (it) => it.execute(`printf %s '${mark}' ${how} /${path}`))
      shared.set(path, after)
      collaborator.see(path)
    },
  }
}

/** Writes on the host: the next call sees it. */
const writeIn: Plan<Collaborator> = (random) => {
  const [name, byCommand] = [random.pick(names), random.chance(0.5)]
  return {
    text: `mirror ${name} in, seen by a ${byCommand ? 'command' : 'call'}`,
    play: async (collaborator) => {
      const { resident } = collaborator
      const life = await resident.life()
      const [path, mark] = [`direct/${name}`, resident.mark()]
      collaborator.put(path, mark)
      const seen = await life.call('see', async (it) => {
        return byCommand ? (await it.execute(`cat /${path}`)).stdout : it.readText(`/${path}`)
      })
      demandSame(seen, mark, `/${path} in the sandbox`)
    },
  }
}

/** Writes into the copy: the host has it when it was applied, and not before. */
const apply: Plan<Collaborator> = (random) => {
  const name = random.pick(names)
  return {
    text: `apply ${name}`,
    play: async (collaborator) => {
      const { resident, shared } = collaborator
      const life = await resident.life()
      const [path, mark] = [`copy/${name}`, resident.mark()]
      await life.call('change the copy', (it) => it.writeText(`/${path}`, mark))
      collaborator.see(path)
      shared.maySet(path, mark)
      await life.call('apply', (it) => it.applyChanges({ bind: '/copy', paths: [`/${path}`] }))
      shared.set(path, mark)
      collaborator.see(path)
    },
  }
}

/** Asks what has changed since a mark: what was changed since, and nothing else. */
const report: Plan<Collaborator> = (random) => {
  const name = random.pick(names)
  return {
    text: `changes of ${name}`,
    play: async (collaborator) => {
      const { resident, shared } = collaborator
      const life = await resident.life()
      await life.call('bring in', (it) => it.execute('ls /direct'))
      const { mark: since } = await life.call('changes', (it) => it.changes())
      const [path, mark] = [`direct/${name}`, resident.mark()]
      shared.maySet(path, mark)
      await life.call('write', (it) => it.writeText(`/${path}`, mark))
      shared.set(path, mark)
      const { changes } = await life.call('changes since', (it) => it.changes({ since }))
      demandSame(
        changes.map((change) => change.path),
        [`/${path}`],
        'what has changed since',
      )
    },
  }
}

const renew: Plan<Collaborator> = () => ({ text: 'close', play: ({ resident }) => resident.end() })

const repertoire: Repertoire<Collaborator> = [
  [4, writeOut],
  [4, writeIn],
  [2, apply],
  [2, report],
  [0.5, renew],
]

/** Shares directories with the host. */
export function collaborator(name: string, world: World, house: House): Role {
  const stage = new Collaborator(name, world, house)
  return roleOf(repertoire, stage, () => stage.resident.end())
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined // There is none, or the model says so.
  }
}
