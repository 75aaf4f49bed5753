import { randomUUID } from 'node:crypto'
import { appendFile, chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorMessage } from '../../sandbox/kinds.ts'
import { stateFile } from '../options/state-file.ts'

/** Lines that are kept. */
export const MAX_LINES = 1000
/** Bytes that they have together. */
const maxBytes = 256 * 1024
/** Characters of a line; a longer one is not kept. */
const maxLine = 8 * 1024

/** Where the history is. */
export function historyPath(env: NodeJS.ProcessEnv = process.env): string {
  return stateFile('history', env)
}

/** What was typed, in a file for its owner alone; where that cannot be used, of this session only. */
export class History {
  readonly #path: string
  readonly #warn: (problem: string) => void
  #lines: string[] = []
  #bytes = 0
  #usable = true

  private constructor(path: string, warn: (problem: string) => void) {
    this.#path = path
    this.#warn = warn
  }

  /** Reads a history; `warn` is told once what is wrong with its file. */
  static async open(path: string, warn: (problem: string) => void): Promise<History> {
    const history = new History(path, warn)
    await history.#attempt(() => history.#load())
    return history
  }

  /** Oldest first. */
  get lines(): readonly string[] {
    return this.#lines
  }

  /** Keeps a line, unless it repeats the one before, begins with a space, or is empty or very long. */
  async add(line: string): Promise<void> {
    if (line.trim() === '' || line.startsWith(' ') || line.length > maxLine || line === this.#lines.at(-1))
      return
    this.#take(line)
    await this.#attempt(async () => {
      await appendFile(this.#path, `${line}\n`, { mode: 0o600 })
      if (this.#lines.length > 2 * MAX_LINES || this.#bytes > 2 * maxBytes) await this.#load()
    })
  }

  /** Takes what is in the file, to which others may have added, and shortens it. */
  async #load(): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 })
    await appendFile(this.#path, '', { mode: 0o600 })
    await chmod(this.#path, 0o600)
    const text = await readFile(this.#path, 'utf8')
    this.#lines = []
    this.#bytes = 0
    for (const line of text.split('\n')) if (line !== '') this.#take(line)
    if (this.#lines.length > MAX_LINES || this.#bytes > maxBytes) await this.#rewrite()
  }

  #take(line: string): void {
    this.#lines.push(line)
    this.#bytes += sizeOf(line)
  }

  async #rewrite(): Promise<void> {
    this.#lines = this.#lines.slice(-MAX_LINES)
    this.#bytes = this.#lines.reduce((sum, line) => sum + sizeOf(line), 0)
    let surplus = 0
    while (this.#bytes > maxBytes) {
      this.#bytes -= sizeOf(this.#lines[surplus] ?? '')
      surplus += 1
    }
    this.#lines.splice(0, surplus)
    const draft = `${this.#path}.${randomUUID()}`
    const text = this.#lines.map((line) => `${line}\n`).join('')
    await writeFile(draft, text, { mode: 0o600, flag: 'wx' })
    await rename(draft, this.#path)
  }

  async #attempt(action: () => Promise<void>): Promise<void> {
    if (!this.#usable) return
    try {
      await action()
    } catch (error) {
      this.#usable = false
      this.#warn(`the history is not kept: ${errorMessage(error)}.`)
    }
  }
}

function sizeOf(line: string): number {
  return Buffer.byteLength(line) + 1
}
