/**
 * A frame is a header and a payload: payload length (u32), kind (u8), lane (u32), all little endian. The payload of
 * a `first` frame is head length (u32), number of parts (u32) and the length of each (u32), then the beginning of
 * head and parts; those of `more` frames go on where it stopped. `close` has none, nor has `taken`: the cell has read the content file.
 */
export const HEADER_BYTES = 9

/** The kinds of a frame, as its header has them. */
export const FrameKind = { first: 1, more: 2, close: 3, taken: 4 } as const

/** The lane of control messages. */
export const CONTROL_LANE = 0

/** The largest number that a header holds. */
export const MAX_LANE = 0xffff_ffff

/** Bytes of messages in one frame: a message of another lane waits for no more than these. */
export const PIECE_BYTES = 64 * 1024

/** Code units from which a string travels beside the head, where it needs no escapes. Bytes always do. */
export const LONG_TEXT = 512

/** Parts of one message. */
export const MAX_PARTS = 1024

/** Set in the length of a part that is in the content file, and not in the frames: of one part of a message at most. */
export const IN_CONTENT_FILE = 0x8000_0000

/** Bytes of lengths in front of a message. */
export function tableBytes(parts: number): number {
  return 8 + 4 * parts
}

/** Bytes of one frame without its header. */
export const MAX_PAYLOAD_BYTES = tableBytes(MAX_PARTS) + PIECE_BYTES

/** Bytes of one message, head and parts. */
export const MAX_MESSAGE_BYTES = 1024 ** 3

/** Bytes of a message's head: its structure and its short strings. */
export const MAX_HEAD_BYTES = 64 * 1024 ** 2
