import type { Terminal } from '@xterm/xterm'

/** Characters that may wait to be shown. */
const most = 2 ** 21

/** Writes to a terminal; what comes faster than it is shown is left out, and said to be. */
export class BoundedWriter {
  readonly #terminal: Terminal
  #waiting = 0
  #leftOut = 0
  #isMidLine = false

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  write(text: string): void {
    if (text === '') return
    if (this.#waiting > most) {
      this.#leftOut += text.length
      return
    }
    this.#send(text)
  }

  /** Writes on a line of its own. */
  writeLine(text: string): void {
    this.write(this.#isMidLine ? `\r\n${text}` : text)
  }

  #send(text: string): void {
    this.#waiting += text.length
    this.#isMidLine = !text.endsWith('\n')
    this.#terminal.write(text, () => {
      this.#waiting -= text.length
      if (this.#leftOut === 0 || this.#waiting > 0) return
      const note = `\x1b[0m\n[${this.#leftOut} characters came faster than they could be shown, and are left out]\n`
      this.#leftOut = 0
      this.#send(note)
    })
  }
}
