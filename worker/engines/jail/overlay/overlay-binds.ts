import { lstatSync, mkdirSync, writeFileSync } from 'node:fs'
import type {
  ApplyReport,
  ApplyRequest,
  ChangeReport,
  Outcome,
  ShellDescription,
} from '../../../../src/contract/shell-api.ts'
import { applyChanges, withheldOf } from '../../../host-files/apply-changes.ts'
import { ChangeLog } from '../../../host-files/change-log.ts'
import { copyAt } from '../../../host-files/chosen-changes.ts'
import { HostFileError } from '../../../host-files/errors.ts'
import { createExclude } from '../../../host-files/exclude.ts'
import { LiveReader } from '../../../host-files/live-reader.ts'
import type { Tracked } from '../../../host-files/tracked.ts'
import { FarError } from '../../../service/far-error.ts'
import type { JailCommand } from '../jail-command.ts'
import { hideExcluded, layerName } from './excluded-layer.ts'
import { HeldTree } from './held-tree.ts'
import type { JailBind } from './jail-bind.ts'
import { OverlayChanges } from './overlay-changes.ts'
import { OverlayMounts } from './overlay-mounts.ts'
import { requireOverlays } from './probe-overlay.ts'

/** Where overlays have their files. */
export interface OverlayPlace {
  /** A private directory of the host, which no jail sees. It may be removed after {@link OverlayBinds.begin}. */
  readonly directory: string
  /** Bytes that the sandbox may write to all overlays together. They are in memory. */
  readonly size: number
}

/** An overlay of a jail, once it runs. */
interface OpenOverlay {
  readonly tracked: Tracked
  readonly changes: OverlayChanges
  readonly trees: readonly HeldTree[]
}

/** The overlays of one jail: how they are mounted, and what the sandbox changed in them. */
export class OverlayBinds {
  readonly #binds: readonly JailBind[]
  readonly #mounts: OverlayMounts
  readonly #opened: bigint
  #open: readonly OpenOverlay[] = []
  #log = new ChangeLog([])
  #isStopped = false

  /**
   * @param binds - those with mode `'overlay'`, checked.
   * @throws FarError `INVALID_CONFIG` where this machine has no overlays, or excluded paths cannot be hidden
   */
  static async prepare(binds: readonly JailBind[], place: OverlayPlace): Promise<OverlayBinds> {
    if (binds.length > 0) await requireOverlays()
    return new OverlayBinds(binds, place)
  }

  private constructor(binds: readonly JailBind[], { directory, size }: OverlayPlace) {
    this.#binds = binds
    this.#opened = clockAt(`${directory}/overlay-opened`)
    const room = `${directory}/overlay`
    mkdirSync(room, { mode: 0o700 })
    const mounts = binds.map((bind, index) => {
      const layer = `${directory}/overlay-excluded-${index}`
      mkdirSync(layer, { mode: 0o700 })
      const isHidden = hideExcluded(
        { source: bind.source, isExcluded: excludeOf(bind) },
        layer,
        `the paths that exclude names in ${bind.destination}`,
      )
      return { source: bind.source, excluded: isHidden ? `${layer}/${layerName}` : undefined }
    })
    this.#mounts = new OverlayMounts(mounts, { directory: room, size })
  }

  /** What the jail binds, for the command that {@link wrap} makes alone. */
  get mounts(): readonly { readonly source: string; readonly destination: string }[] {
    return this.#binds.map(({ destination }, index) => ({ source: this.#mounts.merged(index), destination }))
  }

  /** The command that mounts the overlays for `bwrap`, and becomes it. */
  wrap(command: JailCommand): JailCommand {
    return this.#binds.length === 0 ? command : this.#mounts.wrap(command)
  }

  /**
   * The jail has begun.
   *
   * @param pid - of the process that was started with {@link wrap}, which still runs.
   * @throws the system's error where its overlays are not there
   */
  begin(pid: number): void {
    this.#open = this.#binds.map((bind, index) => this.#openOverlay(bind, index, pid))
    this.#log = new ChangeLog(this.#open.map(({ tracked }) => tracked))
  }

  /** @throws FarError `INVALID_CONFIG` for a mark that is none of this session */
  async changes(since: string | undefined): Promise<ChangeReport> {
    const mark = this.#log.check(since)
    await this.#refresh()
    return this.#log.report(mark)
  }

  /** @throws FarError `INVALID_CONFIG` where there is no such overlay, or a path is not in it; `IO_ERROR` for a file that cannot be read */
  async applyChanges(request: ApplyRequest): Promise<Outcome<ApplyReport>> {
    const tracked = this.#open.map((overlay) => overlay.tracked)
    const copy = copyAt(tracked, request.bind)
    await this.#refresh()
    return applyChanges(copy, request)
  }

  /** What the sandbox wrote that never reaches the host, and why: as of the last look at its changes. */
  skipped(): ShellDescription['skipped'] {
    const left = this.#open.flatMap(({ tracked, changes }) =>
      [...changes.left].map(([rel, reason]) => ({
        bind: tracked.setup.place.root,
        path: tracked.path(rel),
        reason,
      })),
    )
    return [...left, ...withheldOf(this.#open.map(({ tracked }) => tracked))]
  }

  /** From now on nothing is written to the host, and what the sandbox wrote is gone with its jail. */
  close(): void {
    if (this.#isStopped) return
    this.#isStopped = true
    for (const { trees } of this.#open) for (const tree of trees) tree.close()
  }

  async #refresh(): Promise<void> {
    for (const { changes } of this.#open) if (!this.#isStopped) await changes.refresh()
  }

  #openOverlay(bind: JailBind, index: number, pid: number): OpenOverlay {
    const { source, destination: root, readonly } = bind
    const isExcluded = excludeOf(bind)
    const host = new LiveReader(source, isExcluded)
    const upper = new HeldTree(`/proc/${pid}/root${this.#mounts.upper(index)}`)
    const merged = new HeldTree(`/proc/${pid}/root${this.#mounts.merged(index)}`)
    const changes = new OverlayChanges({ upper, merged, host, isExcluded, opened: this.#opened })
    const path = (rel: string) => (rel === '' ? root : `${root}/${rel}`)
    const rel = (full: string) =>
      full === root ? '' : full.startsWith(`${root}/`) ? full.slice(root.length + 1) : undefined
    const isStopped = () => this.#isStopped
    const tracked: Tracked = {
      setup: { source, readonly, live: false, tree: host.tree, place: { root, path, rel } },
      ledger: changes.ledger,
      get isStopped() {
        return isStopped()
      },
      path,
      read: async (file) => readFile(merged, file, path(file)),
    }
    return { tracked, changes, trees: [upper, merged] }
  }
}

function excludeOf({ exclude = [] }: JailBind): (rel: string, isDirectory: boolean) => boolean {
  return createExclude(exclude, [])
}

/** The system's clock as files get it, in nanoseconds: it ticks behind the exact one. */
function clockAt(file: string): bigint {
  writeFileSync(file, '')
  return lstatSync(file, { bigint: true }).ctimeNs
}

function readFile(tree: HeldTree, rel: string, path: string): Uint8Array {
  try {
    return tree.read(rel)
  } catch (error) {
    if (!(error instanceof HostFileError)) throw error
    throw new FarError({
      code: 'IO_ERROR',
      path,
      message: `'${path}' cannot be read by the host (${error.code}): a program still writes it, or took the right to read it away. Wait or correct its permissions, or name other paths.`,
    })
  }
}
