import type { FileHandle } from 'node:fs/promises'

const CHUNK_SIZE = 1024 * 1024

/** A piece of a file. */
export interface FileChunk {
  readonly offset: number
  /** Valid until the next chunk is asked for. */
  readonly bytes: Buffer
}

/** A file's bytes from its start, in chunks of exactly 1 MiB but for the last. */
export async function* chunksOf(handle: FileHandle): AsyncGenerator<FileChunk> {
  const buffer = Buffer.allocUnsafeSlow(CHUNK_SIZE)
  for (let offset = 0; ; offset += CHUNK_SIZE) {
    const bytes = await fill(handle, buffer, offset)
    if (bytes.length > 0) yield { offset, bytes }
    if (bytes.length < CHUNK_SIZE) return
  }
}

/** Writes all of `bytes` at the file's current position. */
export async function writeFully(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written)
    written += bytesWritten
  }
}

async function fill(handle: FileHandle, buffer: Buffer, offset: number): Promise<Buffer> {
  let filled = 0
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, offset + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}
