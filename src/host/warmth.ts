/** What warm places are made of. */
export interface WarmSource {
  /** Free places of workers that have started. */
  readonly freePlaces: number
  /** Makes sure that there are `count` free places at once, unless others take them meanwhile. */
  prepare(count: number): Promise<void>
  /** Lets go of what so many further leases could never need. */
  trim(leases: number): void
}

/** Keeps free places ready ahead of demand. */
export class Warmth {
  readonly #source: () => WarmSource
  readonly #wanted: () => number
  readonly #most: () => number
  #warming = false

  /**
   * @param wanted - how many free places there should be now.
   * @param most - how many there may be.
   */
  constructor(source: () => WarmSource, { wanted, most }: Record<'wanted' | 'most', () => number>) {
    this.#source = source
    this.#wanted = wanted
    this.#most = most
  }

  /** Makes places while there are fewer than wanted. Never throws: what fails here fails the next opening, too. */
  keep(): void {
    if (this.#warming || this.#wanted() <= 0) return
    this.#warming = true
    this.#fill().then(
      () => {
        this.#warming = false
      },
      () => {
        this.#warming = false
      },
    )
  }

  async #fill(): Promise<void> {
    const source = this.#source()
    for (let wanted = this.#wanted(); source.freePlaces < wanted; wanted = this.#wanted()) {
      await source.prepare(wanted)
      source.trim(this.#most())
    }
  }
}
