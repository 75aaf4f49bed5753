import { textOf, toBytes } from './bytes.ts'

const { TextDecoder, TextEncoder } = globalThis

class ByteDecoder extends TextDecoder {
  override decode(input?: ArrayBuffer | ArrayBufferView | null): string {
    if (!ArrayBuffer.isView(input)) return textOf(new Uint8Array(input ?? new ArrayBuffer(0)))
    return textOf(new Uint8Array(input.buffer, input.byteOffset, input.byteLength))
  }
}

class ByteEncoder extends TextEncoder {
  override encode(text = '') {
    return new Uint8Array(toBytes(text))
  }
}

/**
 * Loads just-bash, which makes its coders of UTF-8 as it loads, with coders that keep the bytes that are no UTF-8. Its own
 * ones make another byte of them wherever outputs are joined.
 */
export async function withByteCoders<T>(load: () => Promise<T>): Promise<T> {
  Object.assign(globalThis, { TextDecoder: ByteDecoder, TextEncoder: ByteEncoder })
  try {
    return await load()
  } finally {
    Object.assign(globalThis, { TextDecoder, TextEncoder })
  }
}
