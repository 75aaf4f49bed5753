/** Bytes of the shortest secret whose base64 form is recognised. That of a shorter one is found in other text, too. */
const leastBytes = 8
/** Secrets whose forms are kept, at most. */
const mostKept = 2000

/** A secret in base64, after so many bytes of something else that it has one of three forms. */
export interface Base64Form {
  /** The characters that it determines. */
  readonly text: string
  /** Characters before and after that it shares with its neighbours. */
  readonly before: number
  readonly after: number
}

/** The base64 forms of secrets, each made once. */
export class Base64Forms {
  readonly #kept = new Map<string, readonly Base64Form[]>()

  of(secret: string): readonly Base64Form[] {
    const kept = this.#kept.get(secret)
    if (kept !== undefined) return kept
    if (this.#kept.size >= mostKept) this.#kept.clear()
    const made = base64Forms(secret)
    this.#kept.set(secret, made)
    return made
  }
}

/** The forms of one secret; none of one that is too short. */
function base64Forms(secret: string): readonly Base64Form[] {
  const bytes = Buffer.from(secret)
  if (bytes.length < leastBytes) return []
  return [0, 1, 2].map((shift) => {
    const start = (shift * 8) / 6
    const end = ((shift + bytes.length) * 8) / 6
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64')
    return {
      text: text.slice(Math.ceil(start), Math.floor(end)),
      before: Number.isInteger(start) ? 0 : 1,
      after: Number.isInteger(end) ? 0 : 1,
    }
  })
}

/** A text of the same length in which the alphabet of addresses is the standard one; undefined where nothing can be base64. */
export function asStandardBase64(text: string): string | undefined {
  return /[\w+/-]{10}/.test(text) ? text.replaceAll('-', '+').replaceAll('_', '/') : undefined
}
