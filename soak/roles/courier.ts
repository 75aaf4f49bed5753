import { type Plan, type Role, roleOf, type WeightedPlans } from '../action.ts'
import type { SoakContext } from '../context.ts'
import type { Level } from '../level.ts'
import { tokenOf } from '../origin.ts'
import { demand, demandSame } from '../violation.ts'
import { Resident } from './resident.ts'

/** Fetches from an allowed server. Only the private one may get the credential. */
const fetch: Plan<Resident> = (random) => {
  const place = random.pick(['private', 'public'] as const)
  return {
    text: `fetch ${place}`,
    perform: async (resident) => {
      const tracked = await resident.tracked()
      const text = `of-${resident.mark().replace('#', '-')}`
      const url = `${resident.context.origins[place]}/${resident.name}/${text}`
      const { stdout } = await tracked.call('fetch', (it) => it.execute(`curl -s ${url}`))
      demandSame(stdout, text, `the answer of ${url}`)
    },
  }
}

/** Fetches from a URL that is not allowed, and is refused. */
const trespass: Plan<Resident> = (random) => {
  const url = random.pick(['http://127.0.0.1:1/', 'http://10.0.0.1/', 'http://localhost:1/'])
  return {
    text: `fetch ${url}`,
    perform: async (resident) => {
      const tracked = await resident.tracked()
      const result = await tracked.call('trespass', (it) => it.execute(`curl ${url}`))
      demand(resident.context.shell.isDenied(result), () => {
        return `curl ${url} ended with ${result.exitCode} and ${result.stderr}, and should be denied access`
      })
    },
  }
}

/** Searches for the token where a command could find it. */
const search: Plan<Resident> = () => ({
  text: 'search for the token',
  perform: async (resident) => {
    const tracked = await resident.tracked()
    const { stdout, stderr } = await tracked.call('search', (it) =>
      it.execute('env; set; export; ls -R /tmp /home'),
    )
    const described = await tracked.call('describe', (it) => it.describe())
    const text = `${stdout}${stderr}${JSON.stringify(described)}`
    demand(!text.includes(tokenOf(resident.name)), () => 'a command found the token of the credential')
  },
})

const plans: WeightedPlans<Resident> = [
  [6, fetch],
  [1, trespass],
  [1, search],
  [0.3, () => ({ text: 'close', perform: (resident) => resident.end() })],
]

/** The allowed URLs of all actors that use the network. They are equal, so that these actors can share cells. */
export function reachable({ origins }: SoakContext): readonly string[] {
  return [`${origins.private}/`, `${origins.public}/`]
}

/** Uses the network. */
export function courier(name: string, context: SoakContext, level: Level): Role {
  const resident = new Resident(name, context, level, {
    allowedUrls: reachable(context),
    credentials: [{ url: context.origins.private, token: tokenOf(name) }],
  })
  return roleOf(plans, resident, () => resident.end())
}
