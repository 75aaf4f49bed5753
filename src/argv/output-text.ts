import type { ExecResult, TruncatedExec } from './argv-sandbox.ts'

/** Output as it is shown, and what is not in it. */
export interface Shown {
  readonly output: string
  readonly truncated: false | TruncatedExec
}

/** The start of a stream's text, and how long all of it is, in characters (code points). */
class Head {
  #text = ''
  #kept = 0
  length = 0
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  get text(): string {
    return this.#text
  }

  push(text: string): void {
    this.length += countCharacters(text)
    if (this.#kept === this.#limit) return
    const head = takeCharacters(text, this.#limit - this.#kept)
    this.#text += head
    this.#kept += countCharacters(head)
  }
}

/** Takes the text of one stream as it comes, and keeps no more of it than can be shown. */
export class StreamText {
  /** Blanks before anything else. */
  readonly blanks: Head
  /** From the first character that is not blank. */
  readonly body: Head
  #trailing = 0

  constructor(limit: number) {
    this.blanks = new Head(limit)
    this.body = new Head(limit)
  }

  /** Characters of the body without blanks at its end. */
  get bodyLength(): number {
    return this.body.length - this.#trailing
  }

  push(text: string): void {
    const rest = this.body.length === 0 ? text.trimStart() : text
    if (rest.length < text.length) this.blanks.push(text.slice(0, text.length - rest.length))
    if (rest === '') return
    const trailing = countCharacters(rest.slice(rest.trimEnd().length))
    this.#trailing = rest.trim() === '' ? this.#trailing + trailing : trailing
    this.body.push(rest)
  }
}

/** Joins what two streams gave: trimmed, and cut to `limit` characters with a line that says so. */
export function combine(stdout: StreamText, stderr: StreamText, limit: number): Shown {
  const { text, length } = join(stdout, stderr)
  if (length <= limit) return { output: text.trim(), truncated: false }
  return {
    output: `${takeCharacters(text, limit)}\n[truncated: showing first ${limit} of ${length} chars]`,
    truncated: { characters: length - limit },
  }
}

function join(stdout: StreamText, stderr: StreamText): { text: string; length: number } {
  if (stdout.body.length === 0) return { text: stderr.body.text, length: stderr.bodyLength }
  if (stderr.body.length === 0) return { text: stdout.body.text, length: stdout.bodyLength }
  return {
    text: stdout.body.text + stderr.blanks.text + stderr.body.text,
    length: stdout.body.length + stderr.blanks.length + stderr.bodyLength,
  }
}

/** The same for texts that are whole already. */
export function combineTexts(stdout: string, stderr: string, limit: number): Shown {
  const out = new StreamText(limit)
  const err = new StreamText(limit)
  out.push(stdout)
  err.push(stderr)
  return combine(out, err, limit)
}

/** The result of work that was killed when its time had passed. */
export function timedOut(output: string, seconds: number | undefined): ExecResult {
  const notice = seconds === undefined ? 'Command timed out' : `Command timed out after ${seconds}s`
  return { output: output === '' ? notice : `${output}\n${notice}`, exitCode: 124, timedOut: true }
}

function countCharacters(text: string): number {
  let pairs = 0
  for (let i = 0; i < text.length; i++) if (isPair(text, i)) pairs++
  return text.length - pairs
}

function takeCharacters(text: string, count: number): string {
  if (text.length <= count) return text
  let end = 0
  for (let taken = 0; taken < count && end < text.length; taken++) end += isPair(text, end) ? 2 : 1
  return text.slice(0, end)
}

function isPair(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  if (code < 0xd800 || code > 0xdbff) return false
  const next = text.charCodeAt(index + 1)
  return next >= 0xdc00 && next <= 0xdfff
}
