import type { FileEntry, FileStat } from '../../../../src/contract/shell-api.ts'
import { FileTooLarge } from '../../../service/file-failure.ts'
import type { Channel } from '../channel/channel.ts'
import type { BoundFile } from '../open/bound-file.ts'
import { quoted } from '../quoted.ts'
import { DRIVER } from '../scripts/places.ts'

/** Bytes of messages that are kept. */
const MOST_SAID = 4000

/** Bytes of a listing. */
const MOST_LISTED = 256 * 2 ** 20

/** What the server of files in a jail is asked. Paths are absolute. */
export class JailFiles {
  readonly #channel: Channel
  readonly #content: BoundFile
  readonly #maxFileSize: number
  #begin: string
  #status = ''
  #sequence = 0
  #waiting:
    | { readonly answered: (status: number) => void; readonly failed: (error: Error) => void }
    | undefined
  #failure: Error | undefined

  /** @param begin - lines that the server begins with, once it is asked something. */
  constructor(
    open: (onStatus: (bytes: Buffer) => void) => Channel,
    content: BoundFile,
    { maxFileSize, begin }: { readonly maxFileSize: number; readonly begin: string },
  ) {
    this.#content = content
    this.#maxFileSize = maxFileSize
    this.#begin = `begin\n${begin}`
    this.#channel = open((bytes) => this.#take(bytes.toString()))
  }

  async read(path: string): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = await this.#ask(`read_file ${quoted(path)} ${this.#maxFileSize + 1}`, this.#maxFileSize + 1)
    if (bytes.length > this.#maxFileSize) throw new FileTooLarge(bytes.length, this.#maxFileSize)
    return bytes
  }

  async write(path: string, content: Uint8Array): Promise<null> {
    if (content.byteLength > this.#maxFileSize) throw new FileTooLarge(content.byteLength, this.#maxFileSize)
    return this.#put(content, `write_file ${quoted(path)}`)
  }

  async append(path: string, content: Uint8Array): Promise<null> {
    const size = content.byteLength
    if (size > this.#maxFileSize) throw new FileTooLarge(size, this.#maxFileSize)
    return this.#put(content, `append_file ${quoted(path)} ${size} ${this.#maxFileSize}`)
  }

  async remove(path: string, recursive: boolean): Promise<null> {
    await this.#ask(`${recursive ? 'remove_tree' : 'remove_file'} ${quoted(path)}`)
    return null
  }

  async makeDirectory(path: string): Promise<null> {
    await this.#ask(`make_directory ${quoted(path)}`)
    return null
  }

  /** @throws Error where there is nothing */
  async requirePlace(path: string): Promise<void> {
    await this.#ask(`there ${quoted(path)}`)
  }

  /** @param from - of something that is there. */
  async place(act: 'move' | 'copy', from: string, to: string): Promise<null> {
    await this.#ask(`${act} ${quoted(from)} ${quoted(to)}`)
    return null
  }

  async list(path: string): Promise<FileEntry[]> {
    const fields = split(await this.#ask(`list_files ${quoted(path)}`, MOST_LISTED))
    const entries: FileEntry[] = []
    for (let at = 0; at + 2 < fields.length; at += 3) {
      const isDir = fields[at + 1] === 'd'
      entries.push({ name: fields[at] ?? '', isDir, size: isDir ? 0 : numberOf(fields[at + 2]) })
    }
    return entries.sort(byCodePoint)
  }

  async stat(path: string): Promise<FileStat> {
    const [mode = '', size, modified] = Buffer.from(await this.#ask(`stat_file ${quoted(path)}`, 1000))
      .toString()
      .trim()
      .split(' ')
    const bits = Number.parseInt(mode, 16)
    if (!Number.isSafeInteger(bits)) throw new Error('stat has told no permissions')
    return {
      kind: kinds.get(bits & 0o170000) ?? 'other',
      size: numberOf(size),
      mode: bits & 0o7777,
      modified: Math.round(numberOf(modified) * 1000),
    }
  }

  /** Runs a script beside the session. What it prints on standard output is not kept. */
  async script(text: string, content: Uint8Array): Promise<null> {
    return this.#put(content, text)
  }

  /** The jail has ended. */
  fail(error: Error): void {
    this.#failure = error
    this.#waiting?.failed(error)
  }

  async #put(content: Uint8Array, request: string): Promise<null> {
    this.#content.write(content)
    try {
      await this.#ask(request)
    } finally {
      this.#content.write('')
    }
    return null
  }

  /** @param limit - bytes of the answer that are kept. @throws Error with what was said, where it fails */
  async #ask(request: string, limit = 0): Promise<Uint8Array<ArrayBuffer>> {
    const out = new Taken(limit)
    const err = new Taken(MOST_SAID)
    this.#channel.begin({ out: (bytes) => out.take(bytes), err: (bytes) => err.take(bytes) })
    try {
      const status = await this.#answer(request)
      this.#channel.end()
      if (status === 0) return out.whole()
    } finally {
      this.#channel.end()
    }
    throw new Error(codeOf(Buffer.from(err.whole()).toString().trim()))
  }

  #answer(request: string): Promise<number> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    this.#sequence += 1
    const files = `${DRIVER}/files`
    const line = `{ ${request}; } </dev/null >${files}-out 2>${files}-err; printf '%s %s\\n' ${this.#sequence} "$?" >${files}-status\n`
    return new Promise((resolve, reject) => {
      this.#waiting = { answered: resolve, failed: reject }
      this.#channel.write(this.#begin + line)
      this.#begin = ''
    })
  }

  #take(text: string): void {
    const lines = (this.#status + text).slice(-1000).split('\n')
    this.#status = lines.pop() ?? ''
    for (const line of lines) {
      const [sequence, status] = line.split(' ').map(Number)
      if (sequence !== this.#sequence || status === undefined) continue
      const waiting = this.#waiting
      this.#waiting = undefined
      waiting?.answered(status)
    }
  }
}

/** Bytes that are kept, up to a limit. */
class Taken {
  readonly #parts: Buffer[] = []
  readonly #limit: number
  #size = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  take(bytes: Buffer): void {
    const part = bytes.subarray(0, this.#limit - this.#size)
    if (part.length === 0) return
    this.#parts.push(Buffer.from(part))
    this.#size += part.length
  }

  /** In a buffer that nobody else uses. */
  whole(): Uint8Array<ArrayBuffer> {
    const whole = new Uint8Array(this.#size)
    let at = 0
    for (const part of this.#parts) {
      whole.set(part, at)
      at += part.length
    }
    return whole
  }
}

const kinds: ReadonlyMap<number, FileStat['kind']> = new Map([
  [0o100000, 'file'],
  [0o040000, 'directory'],
  [0o120000, 'link'],
])

/** What programs say, and the names of the errors that they say it of. */
const codes: readonly (readonly [words: RegExp, code: string])[] = [
  [/No such file or directory|nonexistent/i, 'ENOENT'],
  [/Not a directory/i, 'ENOTDIR'],
  [/Is a directory/i, 'EISDIR'],
  [/Permission denied|Operation not permitted/i, 'EACCES'],
  [/Read-only file system/i, 'EROFS'],
  [/No space left/i, 'ENOSPC'],
  [/File too large/i, 'EFBIG'],
  [/File exists/i, 'EEXIST'],
]

function codeOf(said: string): string {
  const code = codes.find(([words]) => words.test(said))?.[1]
  if (code !== undefined) return `${code}: ${said}`
  return said === '' ? 'the program that does it has failed' : said
}

function split(bytes: Uint8Array): string[] {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString().split('\0')
}

function numberOf(text: string | undefined): number {
  const number = Number(text)
  if (text === undefined || !Number.isFinite(number)) throw new Error('a file has told no size')
  return number
}

/** Compares by code point: UTF-16 order puts astral characters before U+E000. */
function byCodePoint({ name: left }: FileEntry, { name: right }: FileEntry): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}
