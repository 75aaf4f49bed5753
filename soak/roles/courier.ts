import { type Plan, type Repertoire, type Role, roleOf } from '../act.ts'
import type { House } from '../house.ts'
import { tokenOf } from '../origin.ts'
import { demand, demandSame } from '../violation.ts'
import type { World } from '../world.ts'
import { Resident } from './resident.ts'

/** Fetches from the one server that it may reach; its credential goes to its own private place there alone. */
const fetch: Plan<Resident> = (random) => {
  const place = random.pick(['private', 'public'] as const)
  return {
    text: `fetch ${place}`,
    play: async (resident) => {
      const life = await resident.life()
      const text = `of-${resident.mark().replace('#', '-')}`
      const url = `${resident.world.origins[place]}/${resident.name}/${text}`
      const { stdout } = await life.call('fetch', (it) => it.execute(`curl -s ${url}`))
      demandSame(stdout, text, `the answer of ${url}`)
    },
  }
}

/** Fetches from where it may not, and is refused. */
const trespass: Plan<Resident> = (random) => {
  const url = random.pick(['http://127.0.0.1:1/', 'http://10.0.0.1/', 'http://localhost:1/'])
  return {
    text: `fetch ${url}`,
    play: async (resident) => {
      const life = await resident.life()
      const { exitCode, stderr } = await life.call('trespass', (it) => it.execute(`curl ${url}`))
      demand(exitCode === 1 && stderr.includes('access denied'), () => {
        return `curl ${url} ended with ${exitCode} and ${stderr}, and should be denied access`
      })
    },
  }
}

/** Looks for the token where a command could find it. */
const search: Plan<Resident> = () => ({
  text: 'search for the token',
  play: async (resident) => {
    const life = await resident.life()
    const { stdout, stderr } = await life.call('search', (it) =>
      it.execute('env; set; export; ls -R /tmp /home'),
    )
    const described = await life.call('describe', (it) => it.describe())
    const text = `${stdout}${stderr}${JSON.stringify(described)}`
    demand(!text.includes(tokenOf(resident.name)), () => 'a command found the token of the credential')
  },
})

const repertoire: Repertoire<Resident> = [
  [6, fetch],
  [1, trespass],
  [1, search],
  [0.3, () => ({ text: 'close', play: (resident) => resident.end() })],
]

/** What those reach that use the network: they may share their cells. */
export function reachable({ origins }: World): readonly string[] {
  return [`${origins.private}/`, `${origins.public}/`]
}

/** Uses the network. */
export function courier(name: string, world: World, house: House): Role {
  const resident = new Resident(name, world, house, {
    allowedUrls: reachable(world),
    credentials: [{ url: world.origins.private, token: tokenOf(name) }],
  })
  return roleOf(repertoire, resident, () => resident.end())
}
