import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { panicLoss } from '../../../../../worker/engines/strands/guards/panic.ts'
import { PRELUDE } from '../../../../../worker/engines/strands/guards/prelude.ts'
import { rewriteCommand } from '../../../../../worker/engines/strands/guards/rewrite.ts'
import type {
  NativeEntry,
  NativeOutput,
  NativeShell,
} from '../../../../../worker/engines/strands/native-shell.ts'
import { weakAddon } from './weak-addon.ts'

/** A call on the engine's builder: the setter and its values. */
export type BuilderCall = readonly [setter: string, ...values: (string | number)[]]

interface Pending {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** The engine in a child process, so that what kills the engine kills no test. */
export class Engine {
  readonly #child: ChildProcess
  readonly #requests: Writable
  readonly #pending = new Map<number, Pending>()
  /** What the engine wrote on the standard output of its process, past every shell. */
  strayOutput = ''
  #calls = 0
  #shells = 0

  private constructor(addon: string, stdin: string) {
    const { RUST_MIN_STACK: _, ...env } = process.env
    this.#child = spawn(
      process.execPath,
      [fileURLToPath(new URL('engine-child.cjs', import.meta.url)), addon],
      {
        stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
        env: { ...env, RUST_MIN_STACK: String(2 ** 30), RUST_BACKTRACE: '0' },
      },
    )
    const { stdin: input, stdout } = this.#child
    const requests = this.#child.stdio[3]
    if (!(requests instanceof Writable) || stdout === null || input === null) throw new Error('no pipes')
    this.#requests = requests
    input.end(stdin)
    createInterface({ input: stdout }).on('line', (line) => this.#reply(line))
    this.#child.once('exit', (code, signal) => {
      for (const { reject } of this.#pending.values())
        reject(new Error(`engine process ended: ${code} ${signal}`))
      this.#pending.clear()
    })
  }

  /** @param stdin - what the host process has on its standard input. */
  static start(stdin = ''): Engine {
    return new Engine(weakAddon(), stdin)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.kill('SIGKILL')
    await ended
  }

  /** A shell as the engine makes it. */
  async shell(...calls: BuilderCall[]): Promise<NativeShell> {
    const shell = this.#shells++
    await this.#call(shell, 'build', calls)
    const call = (method: string, ...parameters: unknown[]) => this.#call(shell, method, parameters)
    return {
      run: async (command) => (await call('run', command)) as NativeOutput,
      setEnv: async (name, value) => void (await call('setEnv', name, value)),
      getEnv: async (name) => (await call('getEnv', name)) as string | null,
      config: () => call('config'),
      readFile: async (path) => decode(await call('readFile', path)),
      writeFile: async (path, content) =>
        void (await call('writeFile', path, { base64: Buffer.from(content).toString('base64') })),
      removeFile: async (path) => void (await call('removeFile', path)),
      listFiles: async (path) => (await call('listFiles', path)) as NativeEntry[],
    }
  }

  /** A shell with the session prelude. */
  async guardedShell(...calls: BuilderCall[]): Promise<NativeShell> {
    const shell = await this.shell(...calls)
    for (const command of [PRELUDE]) {
      const { status, stderr } = await shell.run(command)
      if (status !== 0 || stderr !== '') throw new Error(`prelude: ${status} ${stderr}`)
    }
    return shell
  }

  /** Runs a command in a fresh session as the engine is; `'panic'` if that ends the session. */
  async raw(command: string, ...calls: BuilderCall[]): Promise<NativeOutput | 'panic'> {
    return outcome(await this.shell(...calls), command)
  }

  /** Runs a command in a fresh session behind all guards. */
  async guarded(command: string, ...calls: BuilderCall[]): Promise<NativeOutput | 'panic'> {
    return outcome(await this.guardedShell(...calls), rewriteCommand(command))
  }

  #call(shell: number, method: string, parameters: readonly unknown[]): Promise<unknown> {
    const id = this.#calls++
    return new Promise((resolve, reject) => {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
        reject(new Error('engine process ended'))
        return
      }
      this.#pending.set(id, { resolve, reject })
      this.#requests.write(`${JSON.stringify({ id, shell, method, parameters })}\n`)
    })
  }

  #reply(line: string): void {
    if (!line.startsWith('{"id":')) {
      this.strayOutput += `${line}\n`
      return
    }
    const { id, value, error } = JSON.parse(line) as { id: number; value?: unknown; error?: string }
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    if (error === undefined) pending?.resolve(value)
    else pending?.reject(new Error(error))
  }
}

async function outcome(shell: NativeShell, command: string): Promise<NativeOutput | 'panic'> {
  try {
    return await shell.run(command)
  } catch (error) {
    if (panicLoss(error) === null) throw error
    return 'panic'
  }
}

/** What a command prints when it ends well. */
export function printed(stdout: string): NativeOutput {
  return { status: 0, stdout, stderr: '' }
}

function decode(value: unknown): Uint8Array {
  return new Uint8Array(Buffer.from((value as { base64: string }).base64, 'base64'))
}
