import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { type Readable, Writable } from 'node:stream'
import { bubblewrapArguments } from '../../../../src/bubblewrap/arguments.ts'
import type { JailMount } from '../../../../src/bubblewrap/plan.ts'
import type { JailCommand } from '../jail-command.ts'
import { DRIVER } from '../scripts/places.ts'
import { inheritedDescriptors } from './inherited-descriptors.ts'
import { type Launch, launched } from './launcher.ts'

/** Characters of what `bwrap` says that are kept. */
const MOST_SAID = 2000

/** The descriptor of `bwrap` with the filter, after the standard ones and that of the lines for the server of files. */
const FILTER = 4

/** What a jail is started with. */
export interface JailProcessOptions {
  readonly program: string
  readonly filter: string
  readonly mounts: readonly JailMount[]
  /** Whether the lines of its shell are written to it. */
  readonly takesLines: boolean
  readonly launch: Launch
  /** Makes the command that starts `bwrap`. */
  readonly wrap: (command: JailCommand) => JailCommand
}

/** A jail as a process of the host. It ends with the thread that has started it. */
export class JailProcess {
  readonly #child: ChildProcess
  readonly #session: Writable | undefined
  readonly #files: Writable
  #said = ''
  #ended: string | undefined
  #status: number | undefined
  #onEnd: ((how: string) => void) | undefined
  #onPipes: (() => void) | undefined
  /** Resolves when its pipes are there. */
  readonly piped: Promise<void>
  /** Resolves when nothing is left of it in the list of processes. */
  readonly reaped: Promise<void>

  constructor({ program, filter, mounts, takesLines, launch, wrap }: JailProcessOptions) {
    const jailed = bubblewrapArguments({
      mounts,
      network: 'none',
      user: { uid: 1000, gid: 1000 },
      hostname: 'jail',
      directory: '/',
      environment: { PATH: '/usr/local/bin:/usr/bin:/bin' },
      seccompFd: FILTER,
      command: ['sh', `${DRIVER}/supervisor`],
    })
    const filterFd = openSync(filter, 'r')
    const nothing = openSync('/dev/null', 'r')
    try {
      const { file, args } = launched(wrap({ file: program, args: jailed }), launch)
      this.#child = spawn(file, [...args], {
        stdio: withoutInherited(
          [takesLines ? 'pipe' : 'ignore', 'ignore', 'pipe', 'pipe', filterFd],
          nothing,
        ),
        env: {},
        cwd: '/',
      })
    } finally {
      closeSync(filterFd)
      closeSync(nothing)
    }
    const [session, , said, files] = this.#child.stdio
    this.#session = takesLines ? writable(session) : undefined
    this.#files = writable(files)
    this.piped = new Promise((resolve) => {
      this.#onPipes = resolve
    })
    said?.on('data', (bytes: Buffer) => {
      this.#said = (this.#said + bytes.toString()).slice(0, MOST_SAID)
      if (this.#said.startsWith('\n')) this.#onPipes?.()
    })
    this.reaped = new Promise((resolve) => {
      this.#child.once('error', ({ message }) => {
        resolve()
        this.#end(message)
      })
      this.#child.once('exit', (code, name) => {
        resolve()
        this.#status = code ?? undefined
        // What it has said may still come.
        setImmediate(() => this.#end(name === null ? `ended with status ${code}` : `was ended with ${name}`))
      })
    })
    this.#child.unref()
  }

  /** The number of `bwrap` on the host; undefined where it could not be started. */
  get pid(): number | undefined {
    return this.#child.pid
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined
  }

  /** The status of `bwrap`; undefined before it has ended, and where a signal has ended it or it could not be started. */
  get status(): number | undefined {
    return this.#status
  }

  /** What `bwrap` has printed. */
  get said(): string {
    return this.#said.trim()
  }

  /** Calls `listener` once when the jail has ended, now if it has. */
  onEnd(listener: (how: string) => void): void {
    if (this.#ended === undefined) this.#onEnd = listener
    else listener(this.#ended)
  }

  /** Writes a line to its shell. */
  write(line: string): void {
    this.#session?.write(line)
  }

  toFiles(line: string): void {
    this.#files.write(line)
  }

  /** Ends the jail because of what it has done. */
  endBecause(how: string): void {
    this.#end(how)
    this.kill()
  }

  /** Ends the jail, with all that is in it. */
  kill(): void {
    this.#child.kill('SIGKILL')
    this.#session?.destroy()
    this.#files.destroy()
  }

  #end(how: string): void {
    if (this.#ended !== undefined) return
    this.#ended = how
    this.#onEnd?.(how)
  }
}

/** Puts a descriptor of nothing in the place of each that this process was given. */
function withoutInherited(stdio: readonly (number | 'ignore' | 'pipe')[], nothing: number): StdioOptions {
  const all = [...stdio]
  for (const fd of inheritedDescriptors()) {
    while (all.length < fd) all.push('ignore')
    if (fd >= stdio.length) all[fd] = nothing
  }
  return all
}

function writable(stream: Writable | Readable | null | undefined): Writable {
  if (!(stream instanceof Writable)) throw new TypeError('A pipe to a new process can be written.')
  const pipe = stream
  // Whoever reads it has ended, which the exit of the process tells.
  pipe.on('error', () => undefined)
  return pipe
}
