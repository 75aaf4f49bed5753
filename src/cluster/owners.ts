import { performance, sleep } from '../async/clock.ts'
import { interruptible } from '../async/interruptible.ts'
import type { Labels } from '../host/event-data.ts'
import { FENCE_HEADER } from '../protocol/headers.ts'
import {
  Connection,
  type HttpReply,
  instanceIn,
  LostConnection,
  type ServiceConnection,
} from '../remote/connection.ts'
import { errorOfProblem, problemIn } from '../remote/error-of-problem.ts'
import { ClusterUnavailableError } from '../sandbox/errors.ts'
import { errorMessage } from '../sandbox/kinds.ts'
import { quote } from '../sandbox/show-value.ts'
import { Placement } from './placement.ts'
import { Pulse } from './pulse.ts'
import type { NodeInfo, Registry } from './registry.ts'

/** Milliseconds that the node that has a session has to say so. */
const ownerTime = 1_500
/** Milliseconds that a node has to open a session. One that takes longer goes on, and is asked again. */
const openTime = 3_000
/** Sessions whose node is remembered, at most. */
const mostRemembered = 100_000

/** The node that has a session. */
export interface Owner {
  /** Names its process. */
  readonly instance: string
  readonly fence: number
  readonly connection: ServiceConnection
  readonly pulse: Pulse
}

/** How a session is opened, or taken up. */
export interface Opening {
  /** What its node must have. */
  readonly on: Labels
  /** What opens it where there is none; undefined: there is one. */
  readonly body?: string | undefined
  /** Names a process that is not to have it. */
  readonly not?: string | undefined
}

interface OwnersParts {
  readonly registry: Pick<Registry, 'locate' | 'nodes'>
  readonly token: string
  /** Milliseconds for which a node is looked for. */
  readonly patience: number
  /** Milliseconds without an answer after which a node is taken for lost. */
  readonly silence: number
}

/** A node, as it is reached. */
interface Reached {
  readonly connection: ServiceConnection
  readonly pulse: Pulse
}

/** Which nodes have which sessions, as a client knows: it asks Redis where it does not know, and a node once before it uses it. */
export class Owners {
  readonly patience: number
  readonly #parts: OwnersParts
  readonly #owners = new Map<string, Owner>()
  /** The highest fence that was seen of a session. */
  readonly #fences = new Map<string, number>()
  readonly #reached = new Map<string, Reached>()
  readonly #finding = new Map<string, Promise<Owner>>()
  readonly #placement = new Placement()

  constructor(parts: OwnersParts) {
    this.#parts = parts
    this.patience = parts.patience
  }

  /** The node that has a session, where that is known. */
  known(id: string): Owner | undefined {
    return this.#owners.get(id)
  }

  /**
   * The node that has a session, which one takes up where none has it.
   *
   * @param until - when it gives up, by the monotonic clock.
   * @throws {ClusterUnavailableError} where there is none in time
   */
  async of(id: string, on: Labels, until: number): Promise<Owner> {
    const known = this.#owners.get(id)
    if (known !== undefined) return known
    const found = this.#finding.get(id)
    if (found !== undefined) {
      // It gives up when the call has waited that it was begun for.
      const owner = await found.catch(() => undefined)
      return owner ?? this.of(id, on, until)
    }
    const finding = this.find(id, { on }, until).finally(() => this.#finding.delete(id))
    this.#finding.set(id, finding)
    return finding
  }

  /** As `of`, and asks the node in any case. */
  async find(id: string, opening: Opening, until = performance.now() + this.patience): Promise<Owner> {
    const avoided = new Set(opening.not === undefined ? [] : [opening.not])
    let trouble: unknown = 'Redis and the nodes have not answered'
    for (let wait = 50; ; wait = Math.min(wait * 2, 1000)) {
      const asked = await interruptible(this.#ask(id, opening, avoided), {
        seconds: Math.max(0, until - performance.now()) / 1000,
        onTimeout: () => notFound(id, trouble),
      })
      if (asked.owner !== undefined) return this.#learn(id, asked.owner)
      trouble = asked.trouble
      if (performance.now() + wait > until) throw notFound(id, trouble)
      await sleep(wait)
    }
  }

  /** Has a node hand a session over. One that does not answer is taken for lost. @throws the error of a problem */
  async release(id: string, url: string): Promise<void> {
    const { connection, pulse } = this.reach(url)
    const stop = new AbortController()
    const unwatch = pulse.watch(() => stop.abort())
    const path = `/v1/sandboxes/${encodeURIComponent(id)}/release`
    try {
      const { status, body } = await connection.send({
        method: 'POST',
        path,
        headers: {},
        signal: stop.signal,
      })
      const problem = status < 400 ? undefined : problemIn(body)
      if (problem !== undefined && problem.code !== 'NOT_OWNER') throw errorOfProblem(problem)
    } catch (error) {
      if (!stop.signal.aborted && !(error instanceof LostConnection)) throw error
    } finally {
      unwatch()
    }
  }

  /** A node does not have a session any more, or cannot be reached. */
  forget(id: string, { instance }: Owner): void {
    if (this.#owners.get(id)?.instance === instance) this.#owners.delete(id)
  }

  /** Whether an answer for a session is of a node that another one has followed. */
  isStale(id: string, fence: number): boolean {
    return fence < (this.#fences.get(id) ?? 0)
  }

  /** The way to a node. */
  reach(url: string): Reached {
    const known = this.#reached.get(url)
    if (known !== undefined) return known
    const connection = new Connection(new URL(url), this.#parts.token)
    const reached = { connection, pulse: new Pulse(connection, this.#parts.silence) }
    this.#reached.set(url, reached)
    return reached
  }

  /** Asks the node that has a session, or one that is to have it. No owner: it is to be asked again. */
  async #ask(
    id: string,
    { on, body }: Opening,
    avoided: Set<string>,
  ): Promise<{ readonly owner?: Owner; readonly trouble?: unknown }> {
    const { registry } = this.#parts
    let chosen: NodeInfo | undefined
    try {
      const located = await registry.locate(id)
      if (located === undefined) chosen = this.#placement.begin(await registry.nodes(), on, avoided)
      const node = located ?? chosen
      if (node === undefined) return { trouble: 'no node has the labels and takes sessions' }
      const { connection, pulse } = this.reach(node.url)
      const reply = await claimOn(connection, id, body, located === undefined ? openTime : ownerTime)
      if (reply.status < 400) return { owner: { ...ownerIn(reply, node.instance), connection, pulse } }
      return { trouble: await refusalIn(reply) }
    } catch (error) {
      if (error instanceof LostConnection) {
        if (chosen !== undefined) avoided.add(chosen.instance)
        return { trouble: `a node did not answer: ${errorMessage(error)}` }
      }
      if (error instanceof ClusterUnavailableError) return { trouble: error }
      throw error
    } finally {
      if (chosen !== undefined) this.#placement.ended(chosen)
    }
  }

  #learn(id: string, owner: Owner): Owner {
    const [oldest] = this.#owners.keys()
    if (this.#owners.size >= mostRemembered && oldest !== undefined) {
      this.#owners.delete(oldest)
      this.#fences.delete(oldest)
    }
    this.#owners.set(id, owner)
    this.#fences.set(id, Math.max(owner.fence, this.#fences.get(id) ?? 0))
    return owner
  }
}

/** Asks a node to have a session. @throws {LostConnection} where it does not answer in time */
async function claimOn(
  connection: ServiceConnection,
  id: string,
  body: string | undefined,
  milliseconds: number,
): Promise<HttpReply> {
  const path = `/v1/sandboxes/${encodeURIComponent(id)}`
  const signal = AbortSignal.timeout(milliseconds)
  try {
    return await (body === undefined
      ? connection.send({ method: 'POST', path: `${path}/claim`, headers: {}, signal })
      : connection.send({
          method: 'PUT',
          path,
          headers: { 'content-type': 'application/json' },
          body,
          signal,
        }))
  } catch (error) {
    throw signal.aborted ? new LostConnection('it has not answered in time', true) : error
  }
}

function ownerIn(reply: HttpReply, instance: string): Pick<Owner, 'instance' | 'fence'> {
  return { instance: instanceIn(reply) ?? instance, fence: Number(reply.headers[FENCE_HEADER] ?? 0) }
}

/** Why a node does not have a session now. @throws the error of a problem for good */
async function refusalIn(reply: HttpReply): Promise<string> {
  const problem = problemIn(reply.body)
  if (problem === undefined) return `a node answered with the status ${reply.status}`
  if (
    problem.code !== 'NOT_OWNER' &&
    problem.code !== 'UNAVAILABLE' &&
    problem.code !== 'CLUSTER_UNAVAILABLE'
  )
    throw errorOfProblem(problem)
  const seconds = Number(reply.headers['retry-after'] ?? 0)
  await sleep(Math.min(Number.isFinite(seconds) ? seconds : 0, 2) * 1000)
  return problem.detail
}

function notFound(id: string, trouble: unknown): ClusterUnavailableError {
  const why = trouble instanceof Error ? trouble.message : String(trouble)
  return new ClusterUnavailableError(`No node could be found in time for the session ${quote(id)}: ${why}`, {
    cause: trouble,
  })
}
