/** What warm places are made of. */
export interface WarmSource {
  /** Free places of workers that have started. */
  readonly freePlaces: number
  /** Makes sure that there are `count` free places at once, unless others take them meanwhile, or there may be no more. */
  prepare(count: number): Promise<void>
  /** Ends idle workers or cells beyond what so many further leases need. */
  trim(leases: number): void
}

/** Keeps free places ready ahead of demand. */
export class WarmPool {
  readonly #source: () => Promise<WarmSource>
  readonly #wanted: () => number
  readonly #most: () => number
  #warming = false
  #again = false

  /**
   * @param wanted - how many free places there should be now.
   * @param most - how many there may be.
   */
  constructor(source: () => Promise<WarmSource>, { wanted, most }: Record<'wanted' | 'most', () => number>) {
    this.#source = source
    this.#wanted = wanted
    this.#most = most
  }

  /** Makes places while there are fewer than wanted. Never throws: what fails here fails the next opening, too. */
  keep(): void {
    this.#again = this.#warming
    if (this.#warming || this.#wanted() <= 0) return
    this.#warming = true
    const over = () => {
      this.#warming = false
      if (this.#again) this.keep()
    }
    this.#fill().then(over, over)
  }

  async #fill(): Promise<void> {
    const source = await this.#source()
    for (let before = -1; source.freePlaces > before && source.freePlaces < this.#wanted(); ) {
      before = source.freePlaces
      await source.prepare(this.#wanted())
      source.trim(this.#most())
    }
  }
}
