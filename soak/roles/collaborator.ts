import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Plan, type Role, roleOf, type WeightedPlans } from '../action.ts'
import type { SoakContext } from '../context.ts'
import type { Level } from '../level.ts'
import { Model } from '../model.ts'
import { demandSame } from '../violation.ts'
import { Resident } from './resident.ts'

const names = ['a', 'b', 'c'] as const

/** The state of an actor that shares directories with the host: one directly, another perhaps as a copy. */
class Collaborator {
  readonly resident: Resident
  /** The expected contents of the host's directories; they survive a session. */
  readonly shared = new Model()
  readonly #directory: string

  constructor(name: string, context: SoakContext, level: Level, modes: readonly ('direct' | 'copy')[]) {
    this.#directory = join(context.directory, name)
    const binds = modes.map((mode) => {
      const source = join(this.#directory, mode)
      mkdirSync(source, { recursive: true })
      return { source, destination: `/${mode}`, mode }
    })
    this.resident = new Resident(name, context, level, { binds })
  }

  /** Reads a file of the host and checks it against the model. */
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

/** Writes or appends in the mirrored directory. The host has the change when the call resolves. */
const writeOut: Plan<Collaborator> = (random) => {
  const [name, how] = [random.pick(names), random.pick(['>', '>>', 'writeFile'])]
  return {
    text: `mirror ${name} out by ${how}`,
    perform: async (collaborator) => {
      const { resident, shared } = collaborator
      const tracked = await resident.tracked()
      const path = `direct/${name}`
      const [before, mark] = [collaborator.see(path) ?? '', resident.mark()]
      const after = how === '>>' ? `${before.slice(-2000)}${mark}` : mark
      if (how === '>>' && before.length > 2000) collaborator.put(path, before.slice(-2000))
      shared.maySet(path, after)
      if (how === 'writeFile') await tracked.call('write out', (it) => it.writeText(`/${path}`, after))
      else await tracked.call('write out', (it) => it.execute(`printf %s '${mark}' ${how} /${path}`))
      shared.set(path, after)
      collaborator.see(path)
    },
  }
}

/** Writes on the host. The next call sees the change. */
const writeIn: Plan<Collaborator> = (random) => {
  const [name, byCommand] = [random.pick(names), random.chance(0.5)]
  return {
    text: `mirror ${name} in, seen by a ${byCommand ? 'command' : 'call'}`,
    perform: async (collaborator) => {
      const { resident } = collaborator
      const tracked = await resident.tracked()
      const [path, mark] = [`direct/${name}`, resident.mark()]
      collaborator.put(path, mark)
      const seen = await tracked.call('see', async (it) => {
        return byCommand ? (await it.execute(`cat /${path}`)).stdout : it.readText(`/${path}`)
      })
      demandSame(seen, mark, `/${path} in the sandbox`)
    },
  }
}

/** Writes into the copy. The host has the change after `applyChanges()`, and not before. */
const apply: Plan<Collaborator> = (random) => {
  const name = random.pick(names)
  return {
    text: `apply ${name}`,
    perform: async (collaborator) => {
      const { resident, shared } = collaborator
      const tracked = await resident.tracked()
      const [path, mark] = [`copy/${name}`, resident.mark()]
      await tracked.call('change the copy', (it) => it.writeText(`/${path}`, mark))
      collaborator.see(path)
      shared.maySet(path, mark)
      await tracked.call('apply', (it) => it.applyChanges({ bind: '/copy', paths: [`/${path}`] }))
      shared.set(path, mark)
      collaborator.see(path)
    },
  }
}

/** Checks that `changes({ since })` reports exactly what changed after the mark. */
const report: Plan<Collaborator> = (random) => {
  const name = random.pick(names)
  return {
    text: `changes of ${name}`,
    perform: async (collaborator) => {
      const { resident, shared } = collaborator
      const tracked = await resident.tracked()
      await tracked.call('bring in', (it) => it.execute('ls /direct'))
      const { mark: since } = await tracked.call('changes', (it) => it.changes())
      const [path, mark] = [`direct/${name}`, resident.mark()]
      shared.maySet(path, mark)
      await tracked.call('write', (it) => it.writeText(`/${path}`, mark))
      shared.set(path, mark)
      const { changes } = await tracked.call('changes since', (it) => it.changes({ since }))
      demandSame(
        changes.map((change) => change.path),
        [`/${path}`],
        'what has changed since',
      )
    },
  }
}

const renew: Plan<Collaborator> = () => ({ text: 'close', perform: ({ resident }) => resident.end() })

const plans: WeightedPlans<Collaborator> = [
  [4, writeOut],
  [4, writeIn],
  [2, apply],
  [2, report],
  [0.5, renew],
]

const ofDirect: typeof plans = [
  [4, writeOut],
  [4, writeIn],
  [0.5, renew],
]

/** Shares two directories with the host. */
export function collaborator(name: string, context: SoakContext, level: Level): Role {
  const stage = new Collaborator(name, context, level, ['direct', 'copy'])
  return roleOf(plans, stage, () => stage.resident.end())
}

/** Shares one directory, without a copy: its sessions go on where the shell has that. */
export function partner(name: string, context: SoakContext, level: Level): Role {
  const stage = new Collaborator(name, context, level, ['direct'])
  return roleOf(ofDirect, stage, () => stage.resident.end())
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined // A file that the model expects is reported by its check.
  }
}
