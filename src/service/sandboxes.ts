import { randomUUID } from 'node:crypto'
import type { EngineName } from '../contract/lease.ts'
import type { Labels } from '../host/event-data.ts'
import type { HostedSandbox } from '../hosted-sandbox/hosted-sandbox.ts'
import type { OneSandboxData, SandboxData } from '../protocol/sandbox-schemas.ts'
import { SandboxClosedError } from '../sandbox/errors.ts'
import { quote } from '../sandbox/show-value.ts'
import type { SandboxConfig } from '../shell-host/sandbox-config.ts'
import type { ShellHost } from '../shell-host/shell-host.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import type { SnapshotStore } from '../snapshot/store.ts'
import type { Feed } from './feed.ts'
import type { RecordStore, SandboxRecord } from './options.ts'
import type { Ownership } from './ownership.ts'
import { owns, type Principal } from './principals.ts'
import { ServiceProblem } from './service-problem.ts'
import type { Templates } from './templates.ts'
import { idOfKey, isKeyOfTenant, longestTenant } from './tenant-ids.ts'
import type { Timeline } from './timeline.ts'

/** Bytes of the id of a sandbox, at most. */
const longestId = 80

/** What sandboxes are kept with. */
interface SandboxesParts {
  readonly host: ShellHost<EngineName>
  readonly templates: Templates
  readonly records: RecordStore
  /** Where the host stores sessions; undefined where this service does not know it. */
  readonly store: SnapshotStore | undefined
  /** Whether calls are answered when the store has what they changed. */
  readonly durable: boolean
  readonly feed: Feed
  readonly timeline: Timeline
  readonly log: (line: string) => void
  /** Undefined where no other process shares its sandboxes. */
  readonly ownership: Ownership | undefined
}

/** Which sandbox is to be opened. */
interface OpenRequest {
  readonly template: string
  readonly labels: Labels
  readonly snapshot?: Snapshot | undefined
}

/** A sandbox of the service. */
interface Entry {
  readonly record: SandboxRecord
  lastUsedAt: number | undefined
}

/** The sandboxes of a service: those that are open, and those that are stored. */
export class Sandboxes {
  readonly #parts: SandboxesParts
  readonly #entries = new Map<string, Entry>()
  /** Ids that are just being opened: each resolves when that has ended, whatever came of it. */
  readonly #opening = new Map<string, Promise<void>>()
  /** Ids that are just being closed. */
  readonly #closing = new Map<string, Promise<void>>()
  readonly #watchers = new Set<(id: string) => void>()

  constructor(parts: SandboxesParts) {
    this.#parts = parts
  }

  /** Reads which sandboxes earlier processes left. */
  async load(): Promise<void> {
    const { records, templates, log } = this.#parts
    const gone = new Set<string>()
    for (const record of await records.list()) {
      this.#entries.set(record.id, { record, lastUsedAt: undefined })
      if (!templates.names.includes(record.template)) gone.add(record.template)
    }
    for (const name of gone)
      log(
        `There are sandboxes of the template ${quote(name)}, which this service has no more: their calls are refused.`,
      )
  }

  get size(): number {
    return this.#entries.size
  }

  /**
   * The key of the sandbox that a principal calls so: what all other methods take as `id`. Where several processes share the
   * sandboxes, they find them by their ids: those are the keys.
   *
   * @throws {ServiceProblem} for a text that can be no id
   */
  keyOf(principal: Principal, id: string): string {
    requireId(id, longestId + longestTenant)
    const own = principal.tenant + id
    if (this.#parts.ownership !== undefined || own === id) return id
    // Those of tokens with other labels, which the principal sees, too, are called by their whole keys.
    const other = this.#isThere(own) ? undefined : this.#entries.get(id)
    return other !== undefined && owns(principal, other.record.labels) ? id : own
  }

  /** Opens a sandbox that there is not. @param id - what the principal calls it. @throws {ServiceProblem} where there is one with the id */
  create(principal: Principal, id: string | undefined, request: OpenRequest): Promise<OneSandboxData> {
    return this.#create(principal, this.keyOf(principal, id ?? randomUUID()), request)
  }

  async #create(principal: Principal, id: string, request: OpenRequest): Promise<OneSandboxData> {
    const { template, snapshot } = request
    const { templates, ownership } = this.#parts
    const config = templates.get(template)
    const shown = requireId(idOfKey(principal.tenant, id), longestId)
    if (this.#isThere(id)) throw taken(shown)
    if (ownership === undefined && id === shown && isKeyOfTenant(id))
      throw new ServiceProblem('INVALID_REQUEST', 'id must not begin as the keys of tenants do.', {
        field: 'id',
      })
    const record: SandboxRecord = {
      id,
      template,
      labels: { ...config.labels, ...request.labels, ...principal.labels },
      createdAt: Date.now(),
    }
    const opening = this.#add(record, shown, config, snapshot).finally(() => this.#opening.delete(id))
    const settled = opening.catch(() => undefined) // Who opens it is told.
    this.#opening.set(id, settled)
    await opening
    const data = this.#data(record, undefined)
    this.#parts.feed.add({ kind: 'created', time: Date.now(), id, sandbox: data }, record.labels)
    return { ...data, id: shown, ...this.#summaryOf(id) }
  }

  /** The sandbox with an id, opened where there is none. @throws {ServiceProblem} where it is of another template */
  async getOrCreate(
    principal: Principal,
    request: OpenRequest & { readonly id: string },
  ): Promise<{ readonly data: OneSandboxData; readonly isNew: boolean }> {
    let entry = await this.#find(request.id)
    // Another request may have begun to open it meanwhile.
    while (entry === undefined && this.#opening.has(request.id)) entry = await this.#find(request.id)
    if (entry === undefined) return { data: await this.#create(principal, request.id, request), isNew: true }
    const shown = idOfKey(principal.tenant, request.id)
    if (!owns(principal, entry.record.labels)) throw taken(shown)
    if (entry.record.template !== request.template) {
      throw new ServiceProblem(
        'CONFLICT',
        `The sandbox ${quote(shown)} is of the template ${quote(entry.record.template)}. Name that one, or take another id.`,
      )
    }
    return { data: this.#one(principal, entry), isNew: false }
  }

  /** The sandboxes of a principal, by id. */
  list(principal: Principal, after: string, most: number): readonly SandboxData[] {
    return [...this.#entries.values()]
      .filter(({ record }) => owns(principal, record.labels))
      .map((entry) => ({ entry, id: idOfKey(principal.tenant, entry.record.id) }))
      .filter(({ id }) => id > after)
      .sort((one, other) => (one.id < other.id ? -1 : 1))
      .slice(0, most)
      .map(({ entry }) => this.#shown(principal, entry))
  }

  /** @throws {ServiceProblem} where the principal has none */
  async get(principal: Principal, id: string): Promise<OneSandboxData> {
    return this.#one(principal, await this.#require(principal, id))
  }

  /** A sandbox to use: one that is stored wakes at its first call. @throws {ServiceProblem} where the principal has none */
  async use(principal: Principal, id: string): Promise<HostedSandbox> {
    const known = this.#entries.get(id)
    const entry =
      known !== undefined && owns(principal, known.record.labels) ? known : await this.#require(principal, id)
    entry.lastUsedAt = Date.now()
    return this.#openNow(id) ?? this.#sandbox(entry.record, idOfKey(principal.tenant, id))
  }

  /** Does something that can change a sandbox. Where calls are durable, it is in the store when this resolves. */
  async change<T>(principal: Principal, id: string, act: (sandbox: HostedSandbox) => Promise<T>): Promise<T> {
    const sandbox = await this.use(principal, id)
    const done = await act(sandbox)
    await this.settle(sandbox)
    return done
  }

  /** Resolves when what was answered may be told. @throws what the store has thrown */
  async settle(sandbox: HostedSandbox): Promise<void> {
    if (this.#parts.durable) await sandbox.stored()
  }

  /** Closes a sandbox for good; calls at once share that. @throws {ServiceProblem} where the principal has none */
  async close(principal: Principal, id: string): Promise<void> {
    const { record } = await this.#require(principal, id)
    const closing = this.#closing.get(id) ?? this.#remove(record).finally(() => this.#closing.delete(id))
    this.#closing.set(id, closing)
    await closing
  }

  /** Lets go of a sandbox that another process is to have: its record stays. */
  async letGo(id: string): Promise<void> {
    const entry = this.#entries.get(id)
    await this.#parts.host.get(id)?.close()
    if (entry !== undefined) this.#forget(entry.record)
  }

  /** Opens a second sandbox with the same template, labels and state. */
  async fork(principal: Principal, id: string, fork: string | undefined): Promise<OneSandboxData> {
    const sandbox = await this.use(principal, id)
    const { record } = await this.#require(principal, id)
    const snapshot = await sandbox.snapshot()
    return this.create(principal, fork, { template: record.template, labels: record.labels, snapshot })
  }

  /** Opens a new sandbox of the template for an act: it has what is on the host, and nothing of what this one did. */
  async withNew<T>(
    principal: Principal,
    id: string,
    act: (sandbox: HostedSandbox) => Promise<T>,
  ): Promise<T> {
    const { record } = await this.#require(principal, id)
    const { host, templates } = this.#parts
    const config = templates.ofSandbox(record.template)
    const sandbox = await host.open<EngineName>({ ...config, labels: record.labels })
    try {
      return await act(sandbox)
    } finally {
      await sandbox.close()
    }
  }

  /** What the process of a sandbox holds in memory, as a field of data; none where it has no process of its own. */
  memoryOf(id: string): Pick<SandboxData, 'memory'> {
    return memoryOf(this.#parts.host.get(id))
  }

  /** Calls `tell` with the id of each sandbox that is closed for good. @returns how to stop */
  watchRemovals(tell: (id: string) => void): () => void {
    this.#watchers.add(tell)
    return () => this.#watchers.delete(tell)
  }

  /** The labels of a sandbox: the same object for as long as there is that sandbox. */
  labelsOf(id: string): Labels | undefined {
    return this.#entries.get(id)?.record.labels
  }

  /** @param shown - what its client calls it. */
  async #add(
    record: SandboxRecord,
    shown: string,
    config: SandboxConfig,
    snapshot: Snapshot | undefined,
  ): Promise<void> {
    const { records, ownership } = this.#parts
    await ownership?.claim(record.id)
    if ((await records.get(record.id)) !== undefined) throw taken(shown)
    await records.put(record)
    await this.#open(record, config, snapshot)
    this.#entries.set(record.id, { record, lastUsedAt: undefined })
  }

  async #remove(record: SandboxRecord): Promise<void> {
    const { records, ownership } = this.#parts
    await this.#end(record)
    await records.delete(record.id)
    await ownership?.closed(record.id)
    this.#forget(record)
  }

  #forget({ id, labels }: SandboxRecord): void {
    const { timeline, feed } = this.#parts
    this.#entries.delete(id)
    timeline.forget(id)
    for (const tell of [...this.#watchers]) tell(id)
    feed.add({ kind: 'removed', time: Date.now(), id }, labels)
  }

  async #open(record: SandboxRecord, config: SandboxConfig, snapshot: Snapshot | undefined): Promise<void> {
    const { host, records } = this.#parts
    const { id, labels } = record
    try {
      const sandbox = await host.open<EngineName>(this.#configOf(config, id, labels), { id, snapshot })
      if (snapshot !== undefined && host.hibernates) await sandbox.checkpoint()
    } catch (error) {
      await records.delete(id)
      throw error
    }
  }

  #openNow(id: string): HostedSandbox | undefined {
    const open = this.#parts.host.get(id)
    return open === undefined || open.status === 'closed' ? undefined : open
  }

  /** Opens one that is not open, and is not about to be closed. */
  async #sandbox({ id, template, labels }: SandboxRecord, shown: string): Promise<HostedSandbox> {
    const { host, templates } = this.#parts
    if (this.#closing.has(id))
      throw new SandboxClosedError(`The sandbox ${quote(shown)} is about to be closed.`)
    return host.getOrOpen<EngineName>(id, this.#configOf(templates.ofSandbox(template), id, labels))
  }

  #configOf(config: SandboxConfig, id: string, labels: Labels): SandboxConfig {
    return { ...config, labels: { ...labels, ...this.#parts.ownership?.labelsOf(id) } }
  }

  /** Closes a sandbox, and deletes what is stored of it. */
  async #end({ id, template }: SandboxRecord): Promise<void> {
    const { host, store, templates } = this.#parts
    const sandbox = host.get(id)
    if (sandbox !== undefined) await sandbox.close()
    else if (store !== undefined) await store.delete(id)
    // Where the store is the host's alone, the sandbox wakes to be closed.
    else if (host.hibernates)
      await (await host.getOrOpen<EngineName>(id, templates.ofSandbox(template))).close()
  }

  /** Another process may have made it since. One that is just being opened is there when that has ended. */
  async #find(id: string): Promise<Entry | undefined> {
    const known = this.#entries.get(id)
    if (known !== undefined) return known
    await this.#opening.get(id)
    const record = await this.#parts.records.get(id)
    if (this.#opening.has(id)) return this.#find(id)
    const entry = this.#entries.get(id) ?? (record && { record, lastUsedAt: undefined })
    if (entry !== undefined && !this.#closing.has(id)) this.#entries.set(id, entry)
    return entry
  }

  async #require(principal: Principal, id: string): Promise<Entry> {
    const entry = await this.#find(id)
    if (entry !== undefined && owns(principal, entry.record.labels)) return entry
    const shown = idOfKey(principal.tenant, id)
    throw new ServiceProblem('NOT_FOUND', `There is no sandbox ${quote(shown)}. It was closed, or never was.`)
  }

  /** Whether there is one with this key, or is just about to be or not to be. */
  #isThere(id: string): boolean {
    return this.#entries.has(id) || this.#opening.has(id) || this.#closing.has(id)
  }

  #one(principal: Principal, entry: Entry): OneSandboxData {
    return { ...this.#shown(principal, entry), ...this.#summaryOf(entry.record.id) }
  }

  #summaryOf(id: string): Pick<OneSandboxData, 'summary'> {
    const sandbox = this.#parts.host.get(id)
    return sandbox === undefined ? {} : { summary: sandbox.summary }
  }

  #shown({ tenant }: Principal, entry: Entry): SandboxData {
    return { ...this.#data(entry.record, entry), id: idOfKey(tenant, entry.record.id) }
  }

  #data(record: SandboxRecord, entry: Entry | undefined): SandboxData {
    const { host, templates, timeline } = this.#parts
    const sandbox = host.get(record.id)
    const last = timeline.of(record.id).at(-1)
    return {
      ...record,
      shell: sandbox?.shell ?? templates.shellOf(record.template),
      status: sandbox?.status ?? 'stored',
      generation: sandbox?.generation ?? 0,
      pending: sandbox === undefined ? 0 : sandbox.pending,
      ...(sandbox === undefined ? {} : { isolation: sandbox.isolation }),
      ...memoryOf(sandbox),
      ...(entry?.lastUsedAt === undefined ? {} : { lastUsedAt: entry.lastUsedAt }),
      ...(last === undefined
        ? {}
        : {
            lastCommand: {
              execution: last.id,
              command: last.command.slice(0, 256),
              state: last.state,
              ...(last.exitCode === undefined ? {} : { exitCode: last.exitCode }),
              ...(last.problem === undefined ? {} : { problem: last.problem }),
            },
          }),
    }
  }
}

function memoryOf(sandbox: HostedSandbox | undefined): Pick<SandboxData, 'memory'> {
  const memory = sandbox?.memory
  return memory === undefined ? {} : { memory }
}

function requireId(id: string, most: number): string {
  const bytes = Buffer.byteLength(id)
  if (bytes >= 1 && bytes <= most && id.isWellFormed()) return id
  const problem = `id must have 1 to ${longestId} bytes, but has ${bytes}.`
  throw new ServiceProblem('INVALID_REQUEST', problem, { field: 'id' })
}

function taken(id: string): ServiceProblem {
  return new ServiceProblem(
    'CONFLICT',
    `The id ${quote(id)} is in use. Use PUT to share that sandbox, or take another id.`,
  )
}
