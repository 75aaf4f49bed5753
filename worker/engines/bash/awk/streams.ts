import { AwkError } from './error.ts'

/** What the world of a program is. Texts are whole. */
export interface World {
  /** Undefined where there is no such file. */
  read(path: string): Promise<string | undefined>
  write(path: string, text: string, append: boolean): Promise<void>
  run(command: string, stdin: string): Promise<{ stdout: string; stderr: string; exitCode: number }>
}

/** A text that is read record by record. */
export class Source {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** The next record and what ended it. @param separator - a character, '' for paragraphs, or a regular expression. */
  next(separator: string | RegExp): { text: string; end: string } | undefined {
    if (separator === '') while (this.#text[this.#at] === '\n') this.#at += 1
    if (this.#at >= this.#text.length) return undefined
    const from = this.#at
    const [end, length] = this.#find(separator, from)
    this.#at = end + length
    const text = this.#text.slice(from, end)
    const isLast = separator === '' && this.#at >= this.#text.length
    return { text: isLast ? text.replace(/\n+$/, '') : text, end: this.#text.slice(end, end + length) }
  }

  #find(separator: string | RegExp, from: number): [end: number, length: number] {
    const none: [number, number] = [this.#text.length, 0]
    if (typeof separator === 'string') {
      const wanted = separator === '' ? '\n\n' : separator
      const at = this.#text.indexOf(wanted, from)
      if (at < 0) return none
      let end = at + wanted.length
      if (separator === '') while (this.#text[end] === '\n') end += 1
      return [at, end - at]
    }
    separator.lastIndex = from
    const match = separator.exec(this.#text)
    // An empty match separates nothing.
    if (match === null || match[0] === '') return none
    if (match.index + match[0].length === this.#text.length && match[0] === '\n') return [match.index, 1]
    return [match.index, match[0].length]
  }
}

interface Output {
  readonly sign: '>' | '>>' | '|'
  text: string[]
  written: boolean
}

/** The files and commands that a program has open, and what it printed. */
export class Streams {
  readonly #world: World
  readonly #limit: number
  readonly #outputs = new Map<string, Output>()
  readonly #sources = new Map<string, Source>()
  readonly stdout: string[] = []
  stderr = ''
  #size = 0
  /** How much of stdout a command that is run finds printed: the rest is in awk's buffer. */
  #flushed = 0

  /** @param limit - characters that may be held at once. */
  constructor(world: World, limit: number) {
    this.#world = world
    this.#limit = limit
  }

  print(text: string): void {
    this.#count(text)
    this.stdout.push(text)
  }

  /** Keeps what is for a file or a command until that is closed. */
  printTo(sign: '>' | '>>' | '|', name: string, text: string): void {
    if (sign !== '|' && (name === '/dev/stdout' || name === '-')) {
      this.print(text)
      return
    }
    this.#count(text)
    if (sign !== '|' && name === '/dev/stderr') {
      this.stderr += text
      return
    }
    const open = this.#outputs.get(name)
    if (open === undefined) {
      this.#outputs.set(name, { sign, text: [text], written: false })
      if (sign === '|') this.#flushed = this.stdout.length
    } else open.text.push(text)
  }

  async source(kind: 'file' | 'command', name: string): Promise<Source | undefined> {
    const known = this.#sources.get(name)
    if (known !== undefined) return known
    await this.flush()
    const text = kind === 'file' ? await this.#world.read(name) : await this.#output(name)
    if (text === undefined) return undefined
    this.#count(text)
    const source = new Source(text)
    this.#sources.set(name, source)
    return source
  }

  async #output(command: string): Promise<string> {
    const { stdout, stderr } = await this.#world.run(command, '')
    this.stderr += stderr
    return stdout
  }

  async system(command: string): Promise<number> {
    await this.flush()
    const { stdout, stderr, exitCode } = await this.#world.run(command, '')
    this.print(stdout)
    this.stderr += stderr
    return exitCode
  }

  /** Writes what is for files. */
  async flush(): Promise<void> {
    this.#flushed = this.stdout.length
    for (const [name, output] of this.#outputs) if (output.sign !== '|') await this.#write(name, output)
  }

  /** @returns the status; -1 where nothing of that name is open. */
  async close(name: string): Promise<number> {
    const known = this.#sources.delete(name)
    const output = this.#outputs.get(name)
    if (output === undefined) return known ? 0 : -1
    this.#outputs.delete(name)
    if (output.sign !== '|') {
      await this.#write(name, output)
      return 0
    }
    const { stdout, stderr, exitCode } = await this.#world.run(name, output.text.join(''))
    this.#count(stdout)
    this.stdout.splice(this.#flushed, 0, stdout)
    this.#flushed += 1
    this.stderr += stderr
    return exitCode
  }

  async closeAll(): Promise<void> {
    for (const name of [...this.#outputs.keys()]) await this.close(name)
  }

  async #write(name: string, output: Output): Promise<void> {
    if (output.written && output.text.length === 0) return
    const append = output.written || output.sign === '>>'
    await this.#world.write(name, output.text.join(''), append)
    output.written = true
    output.text = []
  }

  #count(text: string): void {
    this.#size += text.length
    if (this.#size > this.#limit)
      throw new AwkError(`more than ${this.#limit} characters of output do not fit here`)
  }
}
