import { SandboxPathNotFoundError } from '../../src/index.ts'
import type { Plan } from '../act.ts'
import type { Random } from '../random.ts'
import type { Resident } from '../roles/resident.ts'
import { demand, demandSame } from '../violation.ts'

const files = ['/tmp/a', '/tmp/b', '/tmp/c', '/tmp/d'] as const

/** Ways to use a file; a sandbox in another process has no blocking calls, and takes the first way. */
const ways = ['call', 'command', 'sync'] as const
type Way = (typeof ways)[number]

function choose(random: Random): { readonly path: string; readonly way: Way } {
  return { path: random.pick(files), way: random.pick(ways) }
}

function usable(way: Way, { house }: Resident): Way {
  return way === 'sync' && house.level === 'process' ? 'call' : way
}

/** Writes a mark into a file. */
export const write: Plan<Resident> = (random) => {
  const { path, way } = choose(random)
  return {
    text: `write ${path} by ${way}`,
    play: async (resident) => {
      const life = await resident.life()
      const mark = resident.mark()
      const bytes = Buffer.from(mark)
      resident.model.maySet(path, mark)
      if (usable(way, resident) === 'sync')
        await life.callNow('write', ({ sync }) => sync.writeFile(path, bytes))
      else if (way === 'command')
        await life.call('write', (it) => it.execute(`printf %s '${mark}' > ${path}`))
      else await life.call('write', (it) => it.writeFile(path, bytes))
      resident.model.set(path, mark)
    },
  }
}

/** Reads a file: what is in it must be what this session has written last. */
export const read: Plan<Resident> = (random) => {
  const { path, way } = choose(random)
  return {
    text: `read ${path} by ${way}`,
    play: async (resident) => {
      const life = await resident.life()
      const content = await orMissing(async () => {
        if (usable(way, resident) === 'sync') {
          return String(Buffer.from(await life.callNow('read', ({ sync }) => sync.readFile(path))))
        }
        if (way !== 'command') return life.call('read', (it) => it.readText(path))
        const { exitCode, stdout } = await life.call('read', (it) => it.execute(`cat ${path}`))
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
    play: async (resident) => {
      const life = await resident.life()
      const gone = await orMissing(async () => {
        if (way === 'command') await life.call('remove', (it) => it.execute(`rm -f ${path}`))
        else if (usable(way, resident) === 'sync')
          await life.callNow('remove', ({ sync }) => sync.removeFile(path))
        else await life.call('remove', (it) => it.removeFile(path))
        return 'removed'
      })
      if (gone === undefined) resident.model.read(path, undefined)
      resident.model.set(path, undefined)
    },
  }
}

/** Lists a directory: it must have the files that this session has made. */
export const list: Plan<Resident> = () => ({
  text: 'list /tmp',
  play: async (resident) => {
    const life = await resident.life()
    const entries = await life.call('list', (it) => it.listFiles('/tmp'))
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

/** Has a file of many bytes go in and come out whole. */
export const carry: Plan<Resident> = (random) => {
  const size = Math.round(10 ** random.between(4, 6.2))
  return {
    text: `carry ${size} bytes`,
    play: async (resident) => {
      const life = await resident.life()
      const content = Buffer.alloc(size, `${resident.mark()} `)
      await life.call('carry in', (it) => it.writeFile('/tmp/large', content))
      const back = Buffer.from(await life.call('carry out', (it) => it.readFile('/tmp/large')))
      demand(back.equals(content), () => `${size} bytes came back as ${back.length} others`)
      await life.call('remove', (it) => it.removeFile('/tmp/large'))
    },
  }
}

/** Undefined where a file is not there. */
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
