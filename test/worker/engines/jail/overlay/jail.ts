import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { checkBinds } from '../../../../../worker/engines/jail/overlay/check-binds.ts'
import type { JailBind } from '../../../../../worker/engines/jail/overlay/jail-bind.ts'
import { OverlayBinds } from '../../../../../worker/engines/jail/overlay/overlay-binds.ts'
import type { Scratch } from '../../../host-files/scratch.ts'
import { jailCommand } from '../bare-jail.ts'

/** A shell in a jail with overlays over directories of the host. */
export class OverlayJail implements AsyncDisposable {
  readonly binds: OverlayBinds
  readonly #child: ChildProcess
  readonly #lines: AsyncIterator<string>

  static async open(
    scratch: Scratch,
    binds: readonly Partial<JailBind>[] = [{}],
    size = 2 ** 24,
  ): Promise<OverlayJail> {
    const directory = `${scratch.root}/private`
    mkdirSync(directory)
    const checked = checkBinds(
      binds.map((bind) => ({
        source: scratch.bind,
        destination: '/work',
        mode: 'overlay',
        readonly: false,
        ...bind,
      })),
      [],
    )
    const jail = new OverlayJail(await OverlayBinds.prepare(checked, { directory, size }))
    await jail.run('true')
    jail.binds.begin(jail.#child.pid ?? 0)
    rmSync(directory, { recursive: true })
    return jail
  }

  private constructor(binds: OverlayBinds) {
    this.binds = binds
    const mounts = binds.mounts.flatMap(({ source, destination }) => ['--bind', source, destination])
    const { file, args } = binds.wrap(jailCommand([...mounts, '--chdir', '/work'], ['sh']))
    this.#child = spawn(file, [...args], { stdio: ['pipe', 'pipe', 'inherit'], env: {} })
    const { stdout } = this.#child
    if (stdout === null) throw new TypeError('The jail has a pipe.')
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]()
  }

  /** Runs commands. @returns their output, and `status N` where they failed */
  async run(commands: string): Promise<string> {
    this.#child.stdin?.write(`{ ${commands}\n} 2>&1; echo "end $?"\n`)
    let output = ''
    for (;;) {
      const { value, done } = await this.#lines.next()
      if (done === true) throw new Error(`The jail has ended: ${output}`)
      const status = /^(.*)end (\d+)$/.exec(String(value))
      if (status === null) output += `${value}\n`
      else return `${output}${status[1]}${status[2] === '0' ? '' : `status ${status[2]}`}`
    }
  }

  /** What the sandbox changed, as `change path`. */
  async changes(since?: string): Promise<readonly string[]> {
    const { changes } = await this.binds.changes(since)
    return changes.map(({ change, kind, path }) => `${change} ${kind} ${path}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.binds.close()
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.kill('SIGKILL')
    await once(this.#child, 'exit')
  }
}
