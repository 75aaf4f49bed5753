import type { FileHandle } from 'node:fs/promises'

const CHUNK_SIZE = 1024 * 1024

/** A piece of a file. */
export interface FileChunk {
  readonly offset: number
  /** Valid until the next chunk is asked for. */
  readonly bytes: Buffer
}

/** A file's bytes from its start, in chunks of exactly 1 MiB but for the last. The next one is read ahead. */
export async function* chunksOf(handle: FileHandle): AsyncGenerator<FileChunk> {
  const buffers = [Buffer.allocUnsafeSlow(CHUNK_SIZE), Buffer.allocUnsafeSlow(CHUNK_SIZE)] as const
  const read = (index: number) => {
    const chunk = fill(handle, buffers[index % 2 === 0 ? 0 : 1], index * CHUNK_SIZE)
    // It is awaited below; until then a failure has no other handler.
    chunk.catch(() => undefined)
    return chunk
  }
  let reading = read(0)
  try {
    for (let index = 0; ; index++) {
      const bytes = await reading
      const isLast = bytes.length < CHUNK_SIZE
      if (!isLast) reading = read(index + 1)
      if (bytes.length > 0) yield { offset: index * CHUNK_SIZE, bytes }
      if (isLast) return
    }
  } finally {
    // The handle is the caller's to close: no read of it may go on. A failed one was thrown, or nobody wants it.
    await reading.catch(() => undefined)
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
