import { Base64Forms } from '../session/base64-forms.ts'
import { mask, secretSpans } from '../session/masked.ts'

/** Masks secrets in output that comes in pieces, also one that two pieces share. */
export class MaskedOutput {
  readonly #secrets: readonly string[]
  readonly #forms = new Base64Forms()
  /** Characters that a secret, or its base64 form, has at most. */
  readonly #longest: number
  /** What has come and is not shown yet. */
  #held = ''
  /** Whether what was shown ends with a mask, and how many of the held characters that stands for. */
  #isMasked = false
  #covered = 0

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets
    this.#longest = Math.max(0, ...secrets.map((secret) => 4 * Math.ceil(Buffer.byteLength(secret) / 3) + 4))
  }

  /** What may be shown now: a secret may have begun in the characters behind it. */
  add(piece: string): string {
    if (this.#longest === 0) return piece
    this.#held += piece
    return this.#show(Math.max(0, this.#held.length - this.#longest))
  }

  /** The rest. */
  end(): string {
    return this.#show(this.#held.length)
  }

  /** Shows what is held up to an index. A secret that goes on behind it is masked whole. */
  #show(end: number): string {
    const text = this.#held
    let shown = ''
    let at = this.#covered
    for (const [from, to] of secretSpans(text, this.#secrets, this.#forms)) {
      if (from >= end) break
      if (from > at || !this.#isMasked) shown += text.slice(at, from) + mask
      this.#isMasked = true
      at = Math.max(at, to)
    }
    if (at < end) {
      shown += text.slice(at, end)
      this.#isMasked = false
      at = end
    }
    this.#held = text.slice(end)
    this.#covered = at - end
    return shown
  }
}
