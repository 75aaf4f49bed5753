/** What the bytes of a part are: a `Uint8Array`, an `ArrayBuffer`, or a string of one or two bytes a code unit. */
export type PartKind = 'bytes' | 'buffer' | 'latin1' | 'utf16le'

/** What a part is, and the keys that lead from the message to its place. `null` keeps the place in the head. */
export type PartPlace = readonly [kind: PartKind, ...path: (string | number)[]]

/** The head of a message, which crosses as JSON: the message without its parts, and the place of each part. */
export type Head = readonly [message: unknown, ...places: PartPlace[]]
