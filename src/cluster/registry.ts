import * as v from 'valibot'
import { ClusterUnavailableError } from '../sandbox/errors.ts'
import { Keys } from './keys.ts'
import { RedisLink } from './redis-link.ts'
import { CLAIM, LEAVE, LOCATE, NODES, RECLAIM, RELEASE, RENEW } from './scripts.ts'

/** What a node tells of itself. */
export interface NodeFields {
  /** Where clients reach it. */
  readonly url: string
  /** What it can be chosen by. */
  readonly labels: Readonly<Record<string, string>>
  /** Sessions that it has. */
  readonly sessions: number
  /** Jobs that it runs. */
  readonly jobs: number
  /** Whether it takes nothing new. */
  readonly draining: boolean
}

/** A node whose lease lasts. */
export interface NodeInfo extends NodeFields {
  /** Names its process. */
  readonly instance: string
}

/** Who has a session. */
export interface Located {
  /** Names the process. */
  readonly instance: string
  /** Where clients reach it. */
  readonly url: string
  /** Rises whenever another process takes the session. */
  readonly fence: number
}

/** A session that a node has. */
export interface Held {
  readonly id: string
  readonly fence: number
}

/** What became of a claim. */
export type Claimed =
  | { readonly outcome: 'claimed'; readonly fence: number }
  /** Another node has it, or the lease of this one has ended. */
  | { readonly outcome: 'taken' | 'lapsed' }
  /** Redis has been started again: after `wait` milliseconds no lease is left that it does not know. */
  | { readonly outcome: 'young'; readonly wait: number }

/** Sessions of one step of a reclaim, at most. */
const mostAtOnce = 500

const claimedSchema = v.union([
  v.strictTuple([v.literal('claimed'), v.number()]),
  v.strictTuple([v.picklist(['taken', 'lapsed'])]),
  v.strictTuple([v.literal('young'), v.number()]),
])
const locatedSchema = v.union([v.strictTuple([]), v.strictTuple([v.string(), v.string(), v.string()])])
const nodesSchema = v.array(v.array(v.string()))
const labelsSchema = v.record(v.string(), v.string())
const fieldsSchema = v.object({
  instance: v.string(),
  url: v.string(),
  labels: v.pipe(
    v.string(),
    v.transform((text): unknown => JSON.parse(text)),
    labelsSchema,
  ),
  sessions: v.pipe(v.string(), v.transform(Number), v.number()),
  jobs: v.pipe(v.string(), v.transform(Number), v.number()),
  draining: v.pipe(
    v.string(),
    v.transform((text) => text === '1'),
  ),
})

/** What a cluster shares: which nodes there are, and which of them has which session. Every method can throw {@link ClusterUnavailableError}. */
export class Registry {
  readonly keys: Keys
  readonly #link: RedisLink

  constructor(link: RedisLink, name: string) {
    this.#link = link
    this.keys = new Keys(name)
  }

  /** @param seconds - that Redis has for a command. */
  static async open(url: string, name: string, seconds: number): Promise<Registry> {
    return new Registry(await RedisLink.open(url, seconds), name)
  }

  /** Renews the lease of a node. False: it had ended, or was forgotten. @param lease - milliseconds. */
  async renew(instance: string, fields: NodeFields, lease: number): Promise<boolean> {
    const { keys } = this
    const { url, labels, sessions, jobs, draining } = fields
    const told = {
      url,
      labels: JSON.stringify(labels),
      sessions,
      jobs,
      draining: draining ? 1 : 0,
    }
    const was = await this.#link.run(RENEW, (run) => ({
      keys: [keys.run, keys.young, keys.nodes, keys.node(instance)],
      arguments: [run, lease, instance, ...Object.entries(told).flat()],
    }))
    return was === 1
  }

  /** Writes down again what a node has. @returns the ids that another one has taken */
  async reclaim(instance: string, url: string, held: readonly Held[]): Promise<readonly string[]> {
    const { keys } = this
    const taken: string[] = []
    for (let at = 0; at < held.length; at += mostAtOnce) {
      const some = held.slice(at, at + mostAtOnce)
      const answer = await this.#link.run(RECLAIM, () => ({
        keys: [keys.fence, keys.sessions, ...some.map(({ id }) => keys.session(id))],
        arguments: [instance, url, ...some.flatMap(({ id, fence }) => [id, fence])],
      }))
      taken.push(...read(v.array(v.string()), answer))
    }
    return taken
  }

  /**
   * Has a node take a session.
   *
   * @param seen - the fence that the store has seen for it.
   * @param isKnown - whether the session is kept already: then another node may have it that Redis has forgotten.
   */
  async claim(
    { instance, url, lease }: { readonly instance: string; readonly url: string; readonly lease: number },
    id: string,
    { seen, isKnown }: { readonly seen: number; readonly isKnown: boolean },
  ): Promise<Claimed> {
    const { keys } = this
    const answer = await this.#link.run(CLAIM, (run) => ({
      keys: [keys.run, keys.young, keys.fence, keys.sessions, keys.session(id), keys.node(instance)],
      arguments: [run, lease, instance, url, id, seen, isKnown ? 1 : 0, keys.node('')],
    }))
    const [outcome, value = 0] = read(claimedSchema, answer)
    if (outcome === 'claimed') return { outcome, fence: value }
    if (outcome === 'young') return { outcome, wait: value }
    return { outcome }
  }

  /** Lets another node have a session. */
  async release(instance: string, { id, fence }: Held, isClosed: boolean): Promise<void> {
    const { keys } = this
    await this.#link.run(RELEASE, (run) => ({
      keys: [keys.session(id), keys.sessions, keys.node(instance)],
      arguments: [run, instance, fence, id, isClosed ? 1 : 0],
    }))
  }

  /** Who has a session; undefined where nobody has. */
  async locate(id: string): Promise<Located | undefined> {
    const { keys } = this
    const answer = await this.#link.run(LOCATE, () => ({
      keys: [keys.session(id)],
      arguments: [keys.node('')],
    }))
    const [instance, url, fence] = read(locatedSchema, answer)
    return instance === undefined ? undefined : { instance, url: url ?? '', fence: Number(fence) }
  }

  /** The nodes whose lease lasts. */
  async nodes(): Promise<readonly NodeInfo[]> {
    const { keys } = this
    const answer = await this.#link.run(NODES, () => ({ keys: [keys.nodes], arguments: [keys.node('')] }))
    return read(nodesSchema, answer).map((flat) => {
      const pairs = flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1]]] : []))
      return read(fieldsSchema, Object.fromEntries(pairs))
    })
  }

  /** The ids of sessions that some node has had and nobody has closed, some at a time. */
  ids(): AsyncGenerator<readonly string[], void> {
    return this.#link.members(this.keys.sessions)
  }

  /** A node is gone. */
  async leave(instance: string): Promise<void> {
    const { keys } = this
    await this.#link.run(LEAVE, () => ({
      keys: [keys.nodes, keys.node(instance)],
      arguments: [instance],
    }))
  }

  close(): void {
    this.#link.close()
  }
}

function read<Output>(schema: v.GenericSchema<unknown, Output>, answer: unknown): Output {
  const { success, output } = v.safeParse(schema, answer)
  if (success) return output
  throw new ClusterUnavailableError(
    'Redis has answered with what is not of this cluster: another program or version may use its keys.',
  )
}
