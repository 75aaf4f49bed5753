import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { clean, cli, repository } from './run-cli.ts'

const run = promisify(execFile)

/** Why there is no terminal to test on; undefined where there is one. In CI a missing one is a failure. */
export const noTerminal: string | undefined =
  spawnSync('tmux', ['-V']).error === undefined || process.env['CI'] !== undefined
    ? undefined
    : 'tmux is missing: install the package of that name'

/** A terminal of 100 columns and 30 rows in which the command line runs. */
export class Terminal {
  readonly #directory: string

  private constructor(directory: string) {
    this.#directory = directory
  }

  /** Runs the command line with these words. */
  static start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Terminal> {
    return Terminal.#start('"$@"', [...cli, ...args], env)
  }

  /** Runs shell text of this machine in which `"$@"` is the command line. */
  static startShell(script: string): Promise<Terminal> {
    return Terminal.#start(script, cli, {})
  }

  /** The terminal stays when the program has ended, and shows its exit code. */
  static async #start(
    script: string,
    words: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Promise<Terminal> {
    const terminal = new Terminal(mkdtempSync(join(tmpdir(), 'terminal-test-')))
    const { TMUX: _outer, ...rest } = clean(process.env)
    const shell = ['/bin/sh', '-c', `${script}; printf '\n[exit %s]\n' $?; read -r _`, 'sh', ...words]
    const session = ['-u', 'new-session', '-d', '-x', '100', '-y', '30', '-c', repository]
    await terminal.#tmux([...session, ...shell], { ...rest, ...env })
    return terminal
  }

  /** Types text as a user would. */
  async type(text: string): Promise<void> {
    await this.#tmux(['send-keys', '-l', text])
  }

  /** Presses keys by name, such as `Enter`, `C-c` or `Tab`. */
  async press(...keys: string[]): Promise<void> {
    await this.#tmux(['send-keys', ...keys])
  }

  /** Types a line. */
  async enter(line: string): Promise<void> {
    await this.type(line)
    await this.press('Enter')
  }

  /** What is on the screen, and above it, without empty rows at its end. */
  async screen(): Promise<string> {
    return (await this.#tmux(['capture-pane', '-p', '-S', '-100'])).trimEnd()
  }

  /** Waits until the screen matches; gives it. @throws with the screen, after 30 s */
  async until(pattern: RegExp): Promise<string> {
    const end = performance.now() + 30_000
    for (;;) {
      const screen = await this.screen()
      if (pattern.test(screen)) return screen
      if (performance.now() > end) throw new Error(`${pattern} did not come up on:\n${screen}`)
      await wait(150)
    }
  }

  /** Waits for the end of the program; gives its exit code. */
  async exitCode(): Promise<number> {
    const [, code] = /^\[exit (\d+)\]$/m.exec(await this.until(/^\[exit \d+\]$/m)) ?? []
    return Number(code)
  }

  /** Ends whatever still runs in it. */
  async close(): Promise<void> {
    await this.#tmux(['kill-server']).catch(() => undefined) // It may have ended by itself.
    rmSync(this.#directory, { recursive: true, force: true })
  }

  async #tmux(words: readonly string[], env?: NodeJS.ProcessEnv): Promise<string> {
    const { stdout } = await run(
      'tmux',
      ['-S', join(this.#directory, 'socket'), '-f', '/dev/null', ...words],
      { env },
    )
    return stdout
  }
}
