import { SandboxPathNotFoundError } from '../../src/index.ts'
import type { Plan } from '../action.ts'
import type { Random } from '../random.ts'
import type { Resident } from '../roles/resident.ts'
import { demand, demandSame } from '../violation.ts'

const files = ['/tmp/a', '/tmp/b', '/tmp/c', '/tmp/d'] as const

/** Ways to use a file. */
const ways = ['call', 'command', 'sync'] as const
type Way = (typeof ways)[number]

function choose(random: Random): { readonly path: string; readonly way: Way } {
  return { path: random.pick(files), way: random.pick(ways) }
}

/**
 * A sandbox in a cell has no synchronous calls. Where a thread computes for several sandboxes, they would hold up this
 * thread, its timeouts included, for as long as another one's command may run.
 */
function usable(way: Way, { level, context }: Resident): Way {
  const waits = level.isolation === 'process' || (level.isolation === 'shared' && context.shell.goesOn)
  return way === 'sync' && waits ? 'call' : way
}

/** Writes a mark into a file. */
export const write: Plan<Resident> = (random) => {
  const { path, way } = choose(random)
  return {
    text: `write ${path} by ${way}`,
    perform: async (resident) => {
      const tracked = await resident.tracked()
      const mark = resident.mark()
      const bytes = Buffer.from(mark)
      resident.model.maySet(path, mark)
      if (usable(way, resident) === 'sync')
        await tracked.callNow('write', ({ sync }) => sync.writeFile(path, bytes))
      else if (way === 'command')
        await tracked.call('write', (it) => it.execute(`printf %s '${mark}' > ${path}`))
      else await tracked.call('write', (it) => it.writeFile(path, bytes))
      resident.model.set(path, mark)
    },
  }
}

/** Reads a file. It must hold what this session wrote last. */
export const read: Plan<Resident> = (random) => {
  const { path, way } = choose(random)
  return {
    text: `read ${path} by ${way}`,
    perform: async (resident) => {
      const tracked = await resident.tracked()
      const content = await orMissing(async () => {
        if (usable(way, resident) === 'sync') {
          return String(Buffer.from(await tracked.callNow('read', ({ sync }) => sync.readFile(path))))
        }
        if (way !== 'command') return tracked.call('read', (it) => it.readText(path))
        const { exitCode, stdout } = await tracked.call('read', (it) => it.execute(`cat ${path}`))
        return exitCode === 0 ? stdout : undefined
      })
      resident.model.read(path, content)
    },
  }
}

/** Removes a file. */
export const remove: Plan<Resident> = (random) => {
  const { path, way } = choose(random)
  return {
    text: `remove ${path} by ${way}`,
    perform: async (resident) => {
      const tracked = await resident.tracked()
      resident.model.maySet(path, undefined)
      const gone = await orMissing(async () => {
        if (way === 'command') await tracked.call('remove', (it) => it.execute(`rm -f ${path}`))
        else if (usable(way, resident) === 'sync')
          await tracked.callNow('remove', ({ sync }) => sync.removeFile(path))
        else await tracked.call('remove', (it) => it.removeFile(path))
        return 'removed'
      })
      if (gone === undefined) resident.model.read(path, undefined)
      resident.model.set(path, undefined)
    },
  }
}

/** Lists a directory. It must have the files that this session wrote. */
export const list: Plan<Resident> = () => ({
  text: 'list /tmp',
  perform: async (resident) => {
    const tracked = await resident.tracked()
    const entries = await tracked.call('list', (it) => it.listFiles('/tmp'))
    const names = new Set(entries.map(({ name }) => `/tmp/${name}`))
    for (const path of files) {
      const possible = resident.model.possible(path)
      demand(
        possible.some((value) => (value !== undefined) === names.has(path)),
        () => {
          return `${path} ${names.has(path) ? 'is listed' : 'is not listed'}, and should hold ${possible.join(' or ')}`
        },
      )
    }
  },
})

/** Writes a large file and reads it back. */
export const carry: Plan<Resident> = (random) => {
  const size = Math.round(10 ** random.between(4, 6.2))
  return {
    text: `carry ${size} bytes`,
    perform: async (resident) => {
      const tracked = await resident.tracked()
      const content = Buffer.alloc(size, `${resident.mark()} `)
      await tracked.call('carry in', (it) => it.writeFile('/tmp/large', content))
      const back = Buffer.from(await tracked.call('carry out', (it) => it.readFile('/tmp/large')))
      demand(back.equals(content), () => `${size} bytes came back as ${back.length} others`)
      await tracked.call('remove', (it) => it.removeFile('/tmp/large'))
    },
  }
}

/** The result of `use`; undefined where the file does not exist. */
async function orMissing(use: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await use()
  } catch (error) {
    if (!(error instanceof SandboxPathNotFoundError)) throw error
    demandSame(
      files.some((path) => path === error.path),
      true,
      `that ${error.path} is one of the files`,
    )
    return undefined
  }
}
