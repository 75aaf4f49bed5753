import { lstatSync } from 'node:fs'
import { FarError } from '../../../service/far-error.ts'
import type { JailCommand } from '../jail-command.ts'
import { systemPath, systemTool } from '../system-tool.ts'

/** One overlay that is to be mounted. */
export interface OverlayMount {
  /** The real path of the host's directory. */
  readonly source: string
  /** A directory of whiteouts that lie over it, and that are taken over; undefined where there is none. */
  readonly excluded: string | undefined
}

/** Where overlays are mounted, and how large they may become together. */
export interface OverlayRoom {
  /** An empty private directory of the host. Nothing of the mounts is seen in it, but from inside. It may go once the jail has begun. */
  readonly directory: string
  /** Bytes in memory that the sandbox may write. */
  readonly size: number
}

/** Bytes of room for each file or directory that the sandbox may make. */
const BYTES_A_FILE = 4096
const FEWEST_FILES = 1024

/** What the launcher's failures begin with. */
const failed = 'overlay bind: '

/**
 * Runs in a user and mount namespace of its own, where an ordinary user may mount. Sources are entered, not named: a name could
 * lead elsewhere by then. Arguments: room, mount options of its memory, count, of each overlay mode, source and
 * whiteouts, then the command.
 */
const launcher = `
fail() { echo "${failed}$*" >&2; exit 125; }
PATH=${systemPath}
room=$1; count=$3
mount -n -t tmpfs -o "$2" overlay "$room" || fail "the memory for it cannot be mounted"
shift 3
exec 9<"$room" || fail "$room cannot be opened"
while [ "$count" -gt 0 ]; do
  count=$((count - 1))
  at="$room/$count"; held="/proc/self/fd/9/$count"
  mkdir "$at" "$at/work" "$at/merged" && mkdir -m "$1" "$at/upper" || fail "$at cannot be made"
  cd -P -- "$2" && [ "$PWD" = "$2" ] || fail "$2 is no longer the directory that it was"
  lower=.
  if [ -n "$3" ]; then cp -a -- "$3" "$at/excluded" || fail "$3 cannot be copied"; lower="$held/excluded:."; fi
  mount -n -t overlay -o "userxattr,lowerdir=$lower,upperdir=$held/upper,workdir=$held/work" overlay "$at/merged" ||
    fail "the kernel refuses an overlay over $2"
  shift 3
done
exec 9<&-
cd /
exec "$@"
`

/** The overlays of a jail, from their mounts to what the sandbox wrote. */
export class OverlayMounts {
  readonly #mounts: readonly OverlayMount[]
  readonly #room: OverlayRoom

  constructor(mounts: readonly OverlayMount[], room: OverlayRoom) {
    this.#mounts = mounts
    this.#room = room
  }

  /** The path of what the sandbox sees of an overlay: the source of its bind, for the command that {@link wrap} makes alone. */
  merged(index: number): string {
    return `${this.#at(index)}/merged`
  }

  /** The path of what the sandbox wrote. */
  upper(index: number): string {
    return `${this.#at(index)}/upper`
  }

  /** The command that mounts them for another one, and becomes it. */
  wrap({ file, args }: JailCommand): JailCommand {
    const { directory, size } = this.#room
    const files = Math.max(FEWEST_FILES, Math.ceil(size / BYTES_A_FILE))
    const options = `size=${size},nr_inodes=${files},mode=0700`
    // The launcher counts down.
    const mounts = [...this.#mounts].reverse().flatMap(({ source, excluded }) => {
      const mode = (lstatSync(source).mode & 0o777).toString(8)
      return [mode, source, excluded ?? '']
    })
    const count = String(this.#mounts.length)
    return inNamespace([launcher, 'overlay', directory, options, count, ...mounts, file, ...args])
  }

  #at(index: number): string {
    return `${this.#room.directory}/${index}`
  }
}

/** A shell script, with its name and arguments, in a user and mount namespace of its own. */
export function inNamespace(script: readonly string[]): JailCommand {
  const file = systemTool('unshare')
  if (file === undefined) throw unavailable('there is no unshare. Install util-linux')
  return { file, args: ['--user', '--map-root-user', '--mount', '--', '/bin/sh', '-c', ...script] }
}

/** The error for a jail that ended before it began because of its overlays; undefined where they were not why. */
export function overlayFailure(stderr: string): FarError | undefined {
  const at = stderr.indexOf(failed)
  if (at >= 0) return unavailable(stderr.slice(at + failed.length).trim(), stderr)
  return /^unshare: /m.test(stderr) ? unavailable('no namespace could be made for them', stderr) : undefined
}

/** The error for binds that cannot be, with what to do. */
export function unavailable(why: string, detail?: string): FarError {
  return new FarError({
    code: 'INVALID_CONFIG',
    field: 'binds',
    message: `binds: overlays do not work here: ${why}. They need Linux 6.6 and user namespaces; a container must allow mounts in them. Bind with mode 'direct', or with readonly: true.`,
    ...(detail === undefined ? {} : { detail: detail.trim() }),
  })
}
