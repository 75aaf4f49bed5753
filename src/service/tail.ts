import { MaskedOutput } from './masked-output.ts'

/** Characters that are kept of a text. */
const most = 16_384

/** The end of a text that comes in pieces, without secrets. */
export class Tail {
  /** Undefined where there is nothing to mask. */
  readonly #masked: MaskedOutput | undefined
  #text = ''
  #isCut = false

  /** @param secrets - are masked before the text is cut: a part of one would not be found. */
  constructor(secrets: readonly string[] = []) {
    this.#masked = secrets.length === 0 ? undefined : new MaskedOutput(secrets)
  }

  /** Whether the text is longer. */
  get isCut(): boolean {
    return this.#isCut
  }

  get text(): string {
    return this.#text
  }

  add(piece: string): void {
    this.#keep(this.#masked === undefined ? piece : this.#masked.add(piece))
  }

  /** The text is complete. */
  end(): void {
    if (this.#masked !== undefined) this.#keep(this.#masked.end())
  }

  #keep(piece: string): void {
    const whole = this.#text + piece.slice(-most)
    this.#isCut ||= whole.length > most || piece.length > most
    this.#text = whole.slice(-most).replace(/^[\udc00-\udfff]/, '')
  }
}
