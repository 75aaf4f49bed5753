import type { NativeShell } from '../../native-shell.ts'
import { runScript } from './script.ts'

/** A file of the sandbox that is touched when both sides are equal. The sandbox changed what is newer. */
export class Stamp {
  readonly #shell: NativeShell
  readonly #path: string
  /** Minutes since 1970. */
  #minute = 0
  #clockOffset = 0

  constructor(shell: NativeShell, path: string) {
    this.#shell = shell
    this.#path = path
  }

  /** Touches the file. */
  async touch(): Promise<void> {
    await runScript(this.#shell, [`'touch' ${this.#path}`])
    this.recordTouched()
  }

  /** The file was touched just now, by a script. */
  recordTouched(): void {
    this.#minute = currentMinute()
    this.#clockOffset = clockOffset()
  }

  /** Whether the clock was set back since: a later change may have an earlier time. */
  get clockWentBack(): boolean {
    return clockOffset() < this.#clockOffset - 2
  }

  /** Whether the clock shows another minute than when the file was touched. */
  get isOld(): boolean {
    return currentMinute() !== this.#minute
  }
}

function currentMinute(): number {
  return Math.floor(Date.now() / 60_000)
}

/** Milliseconds that the clock is ahead of one that is never set. */
function clockOffset(): number {
  return Date.now() - performance.now()
}
