import type { OmittedPart } from '../contract/checkpoint.ts'
import type { EngineName } from '../contract/lease.ts'
import { refuse } from '../sandbox/arguments.ts'
import { isOwnBytes } from '../sandbox/kinds.ts'
import { optionsOf } from '../sandbox/options-of.ts'
import { kindOf } from '../sandbox/show-value.ts'
import { packArchive, unpackArchive } from './archive.ts'
import { compressed, uncompressed } from './compression.ts'
import { nameContent, numberContent, type SnapshotContent } from './content.ts'
import { resolveLimits, type SnapshotLimits } from './limits.ts'
import { readManifest, writeManifest } from './manifest.ts'
import { refuseSnapshot } from './refuse.ts'
import { requireKey, type SnapshotKey, sign, verified } from './signature.ts'
import { Turns } from './turns.ts'

/** How a snapshot is written. */
export interface SnapshotBytesOptions {
  /**
   * Whether the bytes are packed with gzip.
   *
   * @default false
   */
  readonly gzip?: boolean | undefined
  /**
   * What the bytes are signed with, so that nobody can alter them unseen. They are not encrypted.
   *
   * @default undefined (they are not signed)
   */
  readonly key?: SnapshotKey | undefined
}

/** How a snapshot is read. */
export interface SnapshotReadOptions {
  /**
   * What the bytes were signed with. With a key only bytes are read that were signed with it and are not altered; without
   * one only bytes that are not signed.
   *
   * @default undefined
   */
  readonly key?: SnapshotKey | undefined
  /**
   * The bounds of what is read.
   *
   * @default {} (the defaults of {@link SnapshotLimits})
   */
  readonly limits?: SnapshotLimits | undefined
}

let contents: (snapshot: Snapshot) => SnapshotContent
let make: (content: SnapshotContent) => Snapshot

/**
 * The state of a session at one moment: files, variables, functions and options, as one value that can leave the process. It
 * never changes, and shares bytes that did not change with other snapshots of its session.
 */
export class Snapshot {
  static {
    contents = (snapshot) => snapshot.#content
    make = (content) => new Snapshot(content)
  }

  readonly #content: SnapshotContent

  private constructor(content: SnapshotContent) {
    this.#content = content
  }

  /** The shell that it was taken of. */
  get engine(): EngineName {
    return this.#content.engine
  }

  /** When it was taken. */
  get createdAt(): Date {
    return new Date(this.#content.createdAt)
  }

  /** What of the session it does not hold. */
  get omitted(): readonly OmittedPart[] {
    return this.#content.omitted.map(({ kind, name }) => ({ kind, name }))
  }

  /** Bytes of its files, and characters of its names, variables and functions. */
  get sizeBytes(): number {
    const { entries, contents: bytes } = this.#content.facts
    let size = 0
    for (const { key, value } of entries) size += key.length + value.length
    for (const { byteLength } of bytes.values()) size += byteLength
    return size
  }

  /**
   * The snapshot as a tar with a manifest. The same snapshot gives the same bytes.
   *
   * @throws {SandboxConfigError} naming the option that is not valid
   * @throws {SnapshotError} for a session with a path that is too long for the format
   */
  async toBytes(options: SnapshotBytesOptions = {}): Promise<Uint8Array> {
    const { gzip = false, key } = optionsOf<SnapshotBytesOptions>(options, ['gzip', 'key'])
    if (typeof gzip !== 'boolean') throw refuse('gzip', `must be true or false, but is ${kindOf(gzip)}.`)
    const secret = requireKey(key)
    const { manifest, contents: bytes } = await nameContent(this.#content)
    const tar = await packArchive({ manifest: writeManifest(manifest), contents: bytes }, this.createdAt)
    const packed = gzip ? await compressed(tar) : tar
    return secret === undefined ? packed : sign(packed, secret, new Turns())
  }

  /**
   * Reads what {@link Snapshot.toBytes} gave. The bytes can come from anywhere: with a key nothing of them is read before
   * they are verified, and all of them is held to the limits.
   *
   * @throws {SnapshotError} where they are no snapshot, are altered, or pass a limit
   * @throws {SandboxConfigError} naming the option that is not valid
   */
  static async from(bytes: Uint8Array, options: SnapshotReadOptions = {}): Promise<Snapshot> {
    if (!isOwnBytes(bytes)) throw refuse('bytes', `must be a Uint8Array, but is ${kindOf(bytes)}.`)
    const given = optionsOf<SnapshotReadOptions>(options, ['key', 'limits'])
    const secret = requireKey(given.key)
    const limits = resolveLimits(given.limits)
    if (bytes.length > limits.maxBytes)
      throw refuseSnapshot('too-large', `has more than ${limits.maxBytes} bytes (limits.maxBytes).`)
    const turns = new Turns()
    // The caller could write to its bytes between the check and the use.
    const packed = await verified(Buffer.from(bytes), secret, turns)
    const tar = await uncompressed(packed, limits.maxUnpackedBytes)
    const archive = await unpackArchive(tar, limits, turns)
    const manifest = readManifest(archive.manifest, limits.maxFiles)
    return new Snapshot(numberContent({ manifest, contents: archive.contents }))
  }
}

/** What a snapshot is made of. */
export function contentOf(snapshot: Snapshot): SnapshotContent {
  return contents(snapshot)
}

/** A snapshot of this content. */
export function snapshotOf(content: SnapshotContent): Snapshot {
  return make(content)
}
