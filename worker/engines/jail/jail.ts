import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path/posix'
import type { EngineSource } from '../../../src/contract/lease.ts'
import type { BindRecord, JailRecord } from '../../../src/contract/shell-record.ts'
import type { ShellContext } from '../../service/engine-shell.ts'
import { errorMessage } from '../../service/error-message.ts'
import type { Gate } from '../../service/native-gate.ts'
import { Channel } from './channel/channel.ts'
import { LineFile } from './channel/line-file.ts'
import { JailFiles } from './files/jail-files.ts'
import { bash } from './interpreters/bash.ts'
import type { Interpreter } from './interpreters/interpreter.ts'
import { sh } from './interpreters/sh.ts'
import { JailBounds } from './limits/jail-bounds.ts'
import { type JailNetwork, jailNetwork } from './network/way-out.ts'
import { earlyEnd } from './open/early-end.ts'
import { JailProcess } from './open/jail-process.ts'
import { directoryPrefix } from './open/left-directories.ts'
import { type BoundPlace, etcScripts, jailMounts } from './open/mounts.ts'
import { type Inputs, LINES, PrivateDirectory, temporaryDirectory } from './open/private-directory.ts'
import { checkBinds } from './overlay/check-binds.ts'
import type { JailBind } from './overlay/jail-bind.ts'
import { OverlayBinds } from './overlay/overlay-binds.ts'
import { filesScript } from './scripts/files-server.ts'
import { NETWORK, STATE } from './scripts/places.ts'
import { supervisorScript } from './scripts/supervisor.ts'
import { ShellSession } from './session/shell-session.ts'

/** The home of every session. */
const HOME = '/home/user'

const UMASK = 0o022

/** Processes of a jail itself: two of `bwrap`, its shells, and what these start. */
const OWN_PROCESSES = 8

/** A jail that runs: its process, its shell and its server of files. */
export class Jail {
  readonly process: JailProcess
  readonly session: ShellSession
  readonly files: JailFiles
  readonly inputs: Inputs
  readonly overlays: OverlayBinds
  readonly bounds: JailBounds
  readonly #shared: PrivateDirectory
  readonly #channels: Channel[] = []
  readonly #lines: LineFile | undefined
  #closed = false

  private constructor(record: JailShape, { process, shared, overlays, bounds }: JailParts) {
    this.process = process
    this.#shared = shared
    this.overlays = overlays
    this.bounds = bounds
    this.inputs = shared.inputs
    const { reads } = interpreterOf(record)
    if (reads === 'file')
      this.#lines = new LineFile({ file: shared.path(LINES.file), pipe: shared.path(LINES.pipe) })
    this.session = new ShellSession(
      this.#channel('', (line) => (this.#lines ?? process).write(line)),
      { inputs: shared.inputs, directory: record.cwd, interpreter: interpreterOf(record) },
    )
    this.files = new JailFiles(
      this.#channel('files-', (line) => process.toFiles(line)),
      shared.inputs.content,
      { maxFileSize: record.limits.maxFileSize, begin: filesScript(record.umask ?? UMASK) },
    )
  }

  /**
   * Begins a jail with what its record says, but for files that a session begins with.
   *
   * @throws FarError where it does not begin
   */
  static async open(
    record: JailShape,
    source: JailSource,
    { way, threadGate, signal }: JailContext,
  ): Promise<Jail> {
    const binds = checkBinds(record.binds.map(jailBind), [temporaryDirectory()])
    const network = jailNetwork(way, NETWORK, STATE)
    const bounds = new JailBounds(record.limits, { own: OWN_PROCESSES + network.tasks })
    let shared: PrivateDirectory | undefined
    let process: JailProcess | undefined
    let jail: Jail | undefined
    let room: string | undefined
    try {
      shared = await PrivateDirectory.make(scriptsOf(record, bounds, network))
      const overlaid = binds.filter(({ mode }) => mode === 'overlay')
      // The jail sees the driver's directory, and not that of its overlays.
      if (overlaid.length > 0) room = mkdtempSync(join(tmpdir(), directoryPrefix()))
      const directory = room ?? shared.directory
      const overlays = await OverlayBinds.prepare(overlaid, { directory, size: record.tmpfs })
      const { groups } = bounds
      signal?.throwIfAborted()
      process = new JailProcess({
        program: source.path,
        filter: source.filter ?? '',
        takesLines: interpreterOf(record).reads === 'pipe',
        mounts: jailMounts(record, { shared, places: placesOf(binds, overlays), network: network.mounts }),
        launch: { pipes: shared.directory, groups },
        wrap: (command) => overlays.wrap(command),
      })
      hold(threadGate, process)
      signal?.addEventListener('abort', () => process?.kill(), { once: true })
      const ended = endOf(process)
      await Promise.race([process.piped, ended])
      jail = new Jail(record, { process, shared, overlays, bounds })
      await Promise.race([jail.session.ready, ended])
      if (process.pid !== undefined) overlays.begin(process.pid)
      return jail
    } catch (error) {
      jail?.close()
      process?.kill()
      bounds.close()
      shared?.close()
      throw error
    } finally {
      if (room !== undefined) rmSync(room, { recursive: true })
    }
  }

  /** Calls `listener` once when the jail has ended by itself. */
  onEnd(listener: (how: string) => void): void {
    this.process.onEnd((how) => {
      if (!this.#closed) listener(how)
    })
  }

  /** The absolute path of a path of the session. */
  resolve(path: string): string {
    return join(path.startsWith('/') ? '/' : this.session.directory, path)
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.overlays.close()
    this.process.kill()
    this.bounds.close()
    for (const channel of this.#channels) channel.close()
    this.#lines?.close()
    this.#shared.close()
  }

  #channel(prefix: string, write: (line: string) => void): (onStatus: (bytes: Buffer) => void) => Channel {
    return (onStatus) => {
      const path = (name: string) => this.#shared.path(`${prefix}${name}`)
      const paths = { out: path('out'), err: path('err'), status: path('status') }
      const channel = new Channel(paths, {
        write,
        // Whoever runs in the jail can write there: it ends the jail, and not the thread of others.
        onStatus: (bytes) => {
          try {
            onStatus(bytes)
          } catch (error) {
            this.process.endBecause(`was ended: ${errorMessage(error)}`)
          }
        },
      })
      this.#channels.push(channel)
      return channel
    }
  }
}

/** What of a record makes its jail. */
export type JailShape = Pick<
  JailRecord,
  'binds' | 'cwd' | 'env' | 'interpreter' | 'limits' | 'root' | 'tmpfs' | 'umask'
>

/** What jails are made with. */
export type JailSource = Pick<EngineSource, 'path' | 'filter'>

/** What a jail has of its lease. */
export interface JailContext extends Pick<ShellContext, 'way' | 'threadGate'> {
  /** Ends a jail that has not begun. Default: nothing does. */
  readonly signal?: AbortSignal
}

/** What a jail is made of. */
interface JailParts {
  readonly process: JailProcess
  readonly shared: PrivateDirectory
  readonly overlays: OverlayBinds
  readonly bounds: JailBounds
}

/** Has the thread live until it has reaped a process. One that ends starts none. */
function hold(gate: Gate, process: JailProcess): void {
  gate.pass(() => process.reaped).catch((error: unknown) => process.endBecause(errorMessage(error)))
}

/** Rejects when a jail ends that has not begun. */
function endOf(process: JailProcess): Promise<never> {
  return new Promise((_, reject) => {
    process.onEnd((how) => reject(earlyEnd(process, how)))
  })
}

/** The shell of a session. */
export function interpreterOf({ interpreter }: Pick<JailRecord, 'interpreter'>): Interpreter {
  return interpreter === 'sh' ? sh : bash
}

function jailBind(bind: BindRecord): JailBind {
  return { ...bind, mode: bind.mode === 'overlay' ? 'overlay' : 'direct' }
}

function placesOf(binds: readonly JailBind[], { mounts }: OverlayBinds): BoundPlace[] {
  const merged = new Map(mounts.map(({ source, destination }) => [destination, source]))
  return binds.map(({ source, destination, readonly }) => ({
    source: merged.get(destination) ?? source,
    destination,
    writable: !readonly,
  }))
}

function scriptsOf(
  record: JailShape,
  bounds: JailBounds,
  network: Pick<JailNetwork, 'environment' | 'script'>,
): Readonly<Record<string, string>> {
  const { cwd, umask = UMASK } = record
  const interpreter = interpreterOf(record)
  return {
    supervisor: supervisorScript(interpreter, `${bounds.script}${network.script}`),
    ...interpreter.scripts({ env: environment(record, network.environment), umask, cwd }),
    ...etcScripts,
  }
}

/** The variables that every session begins with, under those of its config. */
function environment(
  record: JailShape,
  network: JailNetwork['environment'],
): readonly (readonly [name: string, value: string])[] {
  const common = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME,
    USER: 'user',
    LOGNAME: 'user',
    SHELL: `/bin/${interpreterOf(record).name}`,
    LANG: 'C.UTF-8',
    ...network,
    ...Object.fromEntries(record.env),
  }
  return Object.entries(common)
}
