import { clearTimeout, setTimeout } from '../../async/clock.ts'
import { interruptible } from '../../async/interruptible.ts'
import { CellChannel, type ChannelEnd } from '../../channel/cell-channel.ts'
import { ProtocolBreach } from '../../channel/errors.ts'
import { joinedPorts } from '../../channel/joined-ports.ts'
import type { CellNews, CellOrder, CellSettings } from '../../contract/cell-messages.ts'
import type { LossCode, LossData } from '../../contract/errors.ts'
import type { EngineSource } from '../../contract/lease.ts'
import type { ShellRecord } from '../../contract/shell-record.ts'
import type { ControlGroup } from '../../control-groups/control-group.ts'
import { ProtocolError } from '../../sandbox/errors.ts'
import { lossError } from '../../sandbox/loss-error.ts'
import { rebuildError } from '../../sandbox/rebuild-error.ts'
import type { OpenRequest } from '../open-request.ts'
import type { CellMemory, Place, Retirement } from '../place.ts'
import { CellLane } from './cell-lane.ts'
import { CellLanes } from './cell-lanes.ts'
import { lossOfDeath, memoryLoss, outOfMemory, stallLoss } from './cell-loss.ts'
import { type CellCommand, CellProcess } from './cell-process.ts'
import { CellWatch } from './cell-watch.ts'
import { isCellNews } from './message-schemas.ts'
import { ProcessMemory } from './process-memory.ts'
import { RecentSecrets } from './recent-secrets.ts'
import { ThreadChannels } from './thread-channels.ts'

/** What a cell is started with. */
export interface CellOptions {
  /** What events call it. */
  readonly name: string
  readonly command: CellCommand
  readonly engine: EngineSource
  readonly settings: CellSettings
  /** The blank shell of its engine. */
  readonly blank: ShellRecord
  /** Bytes. */
  readonly maxMemory: number
  /** What bounds it besides. */
  readonly group: ControlGroup | undefined
  /** Told whenever places become free, and when it has become ready. */
  readonly onChange: () => void
}

/** Losses whose cause is the cell, not its host. */
const ofItself: ReadonlySet<LossCode> = new Set(['CELL_EXITED', 'CELL_STALLED', 'CELL_MEMORY', 'PROTOCOL'])

/** Milliseconds that a process whose pipe has ended may take to end, and so to tell how. */
const exitNotice = 1_000

/** Bytes of one piece of news: an error's message at most. */
const mostControlBytes = 256 * 1024

/** Tokens that are kept out of the output: more than a cell has leases with credentials at once. */
const mostSecrets = 10_000

/** Seconds that closing waits for the end of a process. */
const closeAllowance = 5

/** Why a cell is ended that breaks the contract. */
const breach: LossData = {
  code: 'PROTOCOL',
  message: 'The cell sent something that is not of the contract.',
}

/** Why a cell is ended in which only retired leases still run. */
const lastRetired: LossData = { code: 'RESET', message: 'The cell was ended with its last session.' }

/**
 * One child process with workers, and the leases of places in them. Whatever happens to it, each of its leases is
 * told once why; it ends with SIGKILL, the one stop that no native call can delay.
 */
export class Cell {
  /** Resolves when it can open leases. @throws {WorkerLostError} when it ended before */
  readonly ready: Promise<void>
  /** Resolves when the process is gone. */
  readonly ended: Promise<void>
  readonly #process: CellProcess
  readonly #channel: CellChannel
  readonly #threads: ThreadChannels
  readonly #watch: CellWatch
  readonly #options: CellOptions
  readonly #lanes = new CellLanes()
  readonly #secrets = new RecentSecrets(mostSecrets)
  /** Openings under way, and ports whose holders wait for a reply. */
  #awaited = 0
  readonly #resident = new ProcessMemory()
  #state: 'starting' | 'ready' | 'ending' | 'gone' = 'starting'
  #loss: LossData | undefined
  #workers = { workers: 0, idle: 0 }
  #onReady: (() => void) | undefined

  constructor(options: CellOptions) {
    this.#options = options
    const { threadPipes } = options.settings
    this.#process = new CellProcess(options.command, threadPipes, options.group?.directories)
    const onLaneBroken = (lane: number, { message }: Error) =>
      this.#lanes.get(lane)?.lose({ code: 'PROTOCOL', message })
    this.#channel = new CellChannel(
      this.#process.pipe,
      {
        mostControlBytes,
        onControl: (message) => this.#hear(message),
        onLaneBroken,
        onBroken: (end) => this.#broken(end),
      },
      { file: this.#process.contents?.share() },
    )
    this.#threads = new ThreadChannels(
      this.#process.threadPipes,
      {
        mostControlBytes,
        onControl: (message) => this.#hearOfThread(message),
        onLaneBroken,
        onEnd: (end) => this.#threadEnded(end),
      },
      this.#process.contents,
    )
    const child = this.#process
    this.#watch = new CellWatch(
      {
        get pid() {
          return child.pid
        },
        maxMemory: options.maxMemory,
        ping: (ping) => this.#order({ kind: 'ping', ping }),
        onTooLarge: (bytes) => this.kill(memoryLoss(bytes, options.maxMemory)),
        onStalled: (seconds) => this.kill(stallLoss(seconds)),
      },
      (pid) => this.#held(pid),
    )
    this.ended = this.#process.ended.then((death) => this.#gone(lossOfDeath(death)))
    const ready = new Promise<void>((resolve) => {
      this.#onReady = resolve
    })
    this.ready = Promise.race([
      ready,
      this.ended.then(() => {
        throw lossError(this.#cause(), `The cell ended as it started: ${this.#cause().message}`)
      }),
    ])
    this.ready.catch(() => undefined) // Each opening that waits for it is told.
    this.#order({ kind: 'start', settings: options.settings, engine: options.engine, blank: options.blank })
  }

  /** True while it can open leases, or soon. */
  get alive(): boolean {
    return this.#state === 'starting' || this.#state === 'ready'
  }

  get isReady(): boolean {
    return this.#state === 'ready'
  }

  /** Leases, those that open included. */
  get leases(): number {
    return this.#lanes.held
  }

  /** Retired leases whose native call still runs; 0 once it ends. */
  get retired(): number {
    return this.alive ? this.#lanes.retired : 0
  }

  /** True where it has ended, and not because its host wanted it to. */
  get diedByItself(): boolean {
    return this.#loss !== undefined && ofItself.has(this.#loss.code)
  }

  /** Leases that it may still take; none while a retired one still runs. */
  get free(): number {
    if (!this.alive || this.retired > 0) return 0
    return this.#options.settings.sandboxes - this.leases
  }

  /** True until its first lease. */
  get isUnused(): boolean {
    return this.#lanes.isUnused
  }

  /** As the cell said last. */
  get workers(): { readonly workers: number; readonly idle: number } {
    return this.#workers
  }

  /**
   * Builds a shell in a place of this cell.
   *
   * @throws as {@link Places.open} does
   */
  async open(request: OpenRequest): Promise<Place> {
    const { near, far } = joinedPorts({ ref: () => this.#ref(1), unref: () => this.#ref(-1) })
    const { record } = request
    const number = this.#lanes.nextNumber()
    let ordered = false
    const lane = new CellLane(near, far, {
      interrupt: (call) => this.#order({ kind: 'interrupt', lane: number, call }),
      retire: (how) => {
        if (ordered) this.#retire(number, how)
        else this.#forget(number)
      },
      release: () => {
        this.#order({ kind: 'release', lane: number })
        this.#forget(number)
      },
    })
    this.#lanes.set(number, lane)
    this.#ref(1)
    try {
      for (const { token } of record.credentials) this.#secrets.add(token)
      request.onCancel(() => lane.retire({ suspect: false }))
      await Promise.race([this.ready, lane.refused])
      request.throwIfCancelled()
      this.#order({ kind: 'open', lane: number, record })
      ordered = true
      const place = await lane.opened
      if (place.timeout <= longestTimeout(record) + 1) {
        return { ...place, cell: { name: this.#options.name, lane: number }, memory: () => this.#memory }
      }
      this.kill(breach)
      throw new ProtocolError(
        'The cell answered the opening of a sandbox with a deadline that is not its own.',
      )
    } catch (error) {
      lane.retire()
      throw error
    } finally {
      this.#ref(-1)
    }
  }

  /** Ends the process; its leases are lost for this reason, where there is no other yet. */
  kill(loss: LossData): void {
    if (this.#state === 'gone') return
    this.#loss ??= loss
    this.#state = 'ending'
    this.#watch.stop()
    this.#process.kill()
  }

  /** Ends the process and waits for its end, but not for long: the system may be unable to end it. */
  async close(loss: LossData): Promise<void> {
    this.kill(loss)
    this.#process.ref()
    await interruptible(this.ended, {
      seconds: closeAllowance,
      onTimeout: () => new Error('The process did not end.'),
    }).catch(() => undefined)
  }

  /** With what its contents hold, which it could make larger. */
  #held(pid: number): number | undefined {
    const resident = this.#resident.look(pid)
    return resident === undefined ? undefined : resident + (this.#process.contents?.size ?? 0)
  }

  get #memory(): CellMemory | undefined {
    const { rss } = this.#watch
    return rss === undefined ? undefined : { bytes: rss, sandboxes: this.leases }
  }

  #hear(message: unknown): void {
    if (!isCellNews(message)) {
      this.kill(breach)
      return
    }
    if (message.kind === 'ready') {
      if (this.#state !== 'starting') return
      this.#state = 'ready'
      this.#onReady?.()
      this.#options.onChange()
    } else if (message.kind === 'pong') {
      this.#workers = { workers: message.workers, idle: message.idle }
      this.#watch.answered(message.ping, message.rss)
    } else this.#hearOfLane(message)
  }

  #hearOfLane(news: Extract<CellNews, { readonly lane: number }>): void {
    const lane = this.#lanes.get(news.lane)
    if (lane === undefined) return
    if (news.kind === 'lost') lane.lose(news.loss)
    else if (news.kind === 'opened' && !lane.isOpen) this.#opened(lane, news)
    else if (news.kind === 'refused' && !lane.isOpen) {
      lane.refuse(rebuildError(news.error))
      this.#forget(news.lane)
    } else if (news.kind === 'ended' && lane.state === 'retired') this.#forget(news.lane)
    else this.kill(breach)
  }

  #opened(lane: CellLane, news: Extract<CellNews, { readonly kind: 'opened' }>): void {
    // Of one that was retired meanwhile both ends are closed.
    if (lane.state === 'held' && !this.#join(lane, news)) this.kill(breach)
    else lane.open(news)
  }

  /** False: the cell has no such pipe. */
  #join({ far }: CellLane, { lane, pipe }: Extract<CellNews, { readonly kind: 'opened' }>): boolean {
    if (pipe !== undefined) return this.#threads.bridge(pipe, lane, far)
    this.#channel.bridge(lane, far)
    return true
  }

  /** A thread tells that a lane is lost, and nothing else. */
  #hearOfThread(message: unknown): void {
    if (isCellNews(message) && message.kind === 'lost') this.#hearOfLane(message)
    else this.kill(breach)
  }

  /** Its main thread tells of a thread that has ended. */
  #threadEnded(end: ChannelEnd): void {
    if (end instanceof ProtocolBreach) this.kill({ code: 'PROTOCOL', message: end.message })
  }

  /**
   * A lease is retired. With the last one the process is ended, and so is every native call that still runs. Where the
   * lease's worker may be what has failed, the cell gets a moment to report its own failure first.
   */
  #retire(number: number, { suspect, end }: Required<Retirement>): void {
    if (!this.alive) return
    const isLast = this.leases === 0
    if (isLast && !suspect) this.kill(lastRetired)
    else this.#order({ kind: 'retire', lane: number, suspect, end })
    if (isLast && suspect) setTimeout(() => this.#endWithoutLease(), exitNotice).unref()
    this.#options.onChange()
  }

  #endWithoutLease(): void {
    if (this.leases === 0 && this.retired > 0) this.kill(lastRetired)
  }

  #forget(number: number): void {
    this.#lanes.delete(number)
    if (!this.alive) return
    this.#endWithoutLease()
    this.#options.onChange()
  }

  /** A process that ends closes its pipe first: unless the cause is known, its exit status is awaited for a moment. */
  #broken(end: ChannelEnd): void {
    if (end instanceof ProtocolBreach) this.kill({ code: 'PROTOCOL', message: end.message })
    if (!this.alive) return
    this.#state = 'ending'
    this.#watch.stop()
    this.#threads.close()
    const closed = { code: 'CELL_EXITED', message: 'The cell closed its pipe.' } as const
    const timer = setTimeout(() => this.kill(closed), exitNotice).unref()
    void this.ended.then(() => clearTimeout(timer))
  }

  #gone(death: LossData): void {
    const { group, maxMemory } = this.#options
    this.#state = 'gone'
    this.#loss ??= (group?.events.killed ?? 0) > 0 ? outOfMemory(maxMemory) : death
    group?.remove()
    this.#watch.stop()
    this.#channel.close()
    this.#threads.close()
    this.#resident.close()
    this.#process.contents?.close()
    this.#lanes.lose(this.#cause())
  }

  /** Why it ended, and what it had printed. */
  #cause(): LossData {
    const loss = this.#loss ?? { code: 'CELL_EXITED', message: 'The cell ended.' }
    const output = this.#process.output.text(this.#secrets)
    return output === undefined ? loss : { ...loss, output }
  }

  #ref(change: 1 | -1): void {
    this.#awaited += change
    if (this.#awaited > 0) this.#channel.ref()
    else this.#channel.unref()
  }

  /** @throws {ProtocolError} where the order is too large to cross */
  #order(order: CellOrder): void {
    try {
      this.#channel.sendControl(order)
    } catch (cause) {
      throw cause instanceof ProtocolBreach ? new ProtocolError(cause.message, { cause }) : cause
    }
  }
}

/** Seconds: the engine's deadline for commands, where its config file does not say another. */
function longestTimeout(record: ShellRecord): number {
  const hasConfigFile = record.engine === 'strands' && record.configFile !== undefined
  return record.timeout ?? (hasConfigFile ? Number.POSITIVE_INFINITY : 30)
}
