import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

/** What V8 has compiled of texts, by the digests of the texts. */
export type CompiledTexts = ReadonlyMap<string, Buffer>

/** Milliseconds after which a file is removed: an upgrade may have left it. One that is used is made again. */
const OLD = 30 * 24 * 60 * 60 * 1000

/** Bytes of the digest of all that follows it, and of the length of the list after it. */
const [DIGEST_BYTES, LENGTH_BYTES] = [32, 4]

/** Removes what nobody may use any more. @throws the system's error */
export function removeOldCode(directory: string): void {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name)
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat !== undefined && Date.now() - stat.mtimeMs > OLD) rmSync(path, { force: true })
  }
}

/** Of Node's, loaded where there is compiled code: workers of other engines do without it. */
const crypto = () => process.getBuiltinModule('node:crypto')

/** The SHA-256 of a text, in hexadecimal. */
export function digestOf(text: string): string {
  return crypto().createHash('sha256').update(text).digest('hex')
}

/**
 * Reads a file of compiled code. V8 runs what it is given: only a whole file that belongs to this user, and that nobody else can
 * write, is read. Its directory is the host's to check.
 *
 * @returns undefined where there is none
 */
export function readCode(path: string): CompiledTexts | undefined {
  try {
    const bytes = readOwn(path)
    const rest = bytes.subarray(DIGEST_BYTES)
    if (!sha256(rest).equals(bytes.subarray(0, DIGEST_BYTES))) return undefined
    return partsOf(rest)
  } catch {
    // Not there, or not such a file: the texts are compiled.
    return undefined
  }
}

/**
 * Writes a file of compiled code, at once: whoever reads it meanwhile reads all of it, or none.
 *
 * @throws the system's error
 */
export function writeCode(path: string, texts: CompiledTexts): void {
  const list = Buffer.from(JSON.stringify([...texts].map(([digest, { length }]) => [digest, length])))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32LE(list.length)
  const rest = Buffer.concat([length, list, ...texts.values()])
  const temporary = `${path}.${process.pid}-${crypto().randomBytes(6).toString('hex')}`
  try {
    writeFileSync(temporary, Buffer.concat([sha256(rest), rest]), { flag: 'wx', mode: 0o600 })
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

function sha256(bytes: Buffer): Buffer {
  return crypto().createHash('sha256').update(bytes).digest()
}

function readOwn(path: string): Buffer {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(file)
    if (!stat.isFile() || stat.uid !== process.geteuid?.() || (stat.mode & 0o022) !== 0)
      throw new TypeError('The file is not of this user alone.')
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

function partsOf(bytes: Buffer): CompiledTexts {
  const end = LENGTH_BYTES + bytes.readUInt32LE(0)
  const list: [string, number][] = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, end))
  const parts = new Map<string, Buffer>()
  let at = end
  for (const [digest, length] of list) {
    parts.set(digest, bytes.subarray(at, at + length))
    at += length
  }
  return parts
}
