import type { Hardening } from '../../../contract/isolation.ts'
import type { BubblewrapFinding } from '../../../engines/find-bubblewrap.ts'
import { locateBubblewrap, proveBubblewrap } from '../../../engines/find-bubblewrap.ts'
import { cellFilter } from '../../../engines/seccomp-filter.ts'
import { SandboxConfigError } from '../../../sandbox/errors.ts'
import { CellJail, type CellProgram } from './cell-jail.ts'
import { type CellHardening, chosenHardening } from './found-hardening.ts'

/** Puts the cells of a host into jails, as far as its options and the machine say. */
export class CellHardener {
  readonly #option: Hardening
  readonly #onFallback: (found: CellHardening) => void
  readonly #search: () => Promise<BubblewrapFinding>
  #finding: BubblewrapFinding | undefined
  #told = false

  /** @param onFallback - told once, before the first cell is started, where cells are in no jail and could be by the options. */
  constructor(
    option: Hardening,
    onFallback: (found: CellHardening) => void = () => undefined,
    search: () => Promise<BubblewrapFinding> = locateBubblewrap,
  ) {
    this.#option = option
    this.#onFallback = onFallback
    this.#search = search
  }

  /** What cells have that are started now; undefined before the first search. */
  get found(): CellHardening | undefined {
    if (this.#finding === undefined) return chosenHardening(this.#option)
    if (this.#finding.ok) return { cells: 'jail', reason: undefined, remedy: undefined }
    const { reason, remedy } = this.#finding
    return { cells: 'none', reason, remedy }
  }

  /**
   * Looks whether this machine has what jails are made with: {@link CellHardener.prepare} tries it. A host keeps to what was
   * found first: its cells are alike.
   *
   * @throws {SandboxConfigError} where it must and cannot, with the reason and the remedy
   */
  async find(): Promise<void> {
    if (this.#option === 'none' || this.#finding !== undefined) return
    const finding = await this.#search()
    // Cells of another engine may have been faster.
    if (this.#finding === undefined) this.#take(finding)
  }

  /**
   * Prepares the jails of cells that run this; undefined where they are in none.
   *
   * @throws {SandboxConfigError} where they must be, and there can be none, or Node does not start in one
   */
  async prepare(program: CellProgram, hasNetwork: boolean): Promise<CellJail | undefined> {
    if (this.#finding?.ok !== true) return undefined
    const { program: bwrap, filter } = this.#finding
    // Node that starts in a jail shows that there are jails.
    const jail = await CellJail.prepare({ program: bwrap, filter: cellFilter(filter) }, program, hasNetwork)
    const fault = await jail.fault()
    if (fault === undefined) return jail
    const proven = await proveBubblewrap({ program: bwrap, filter })
    this.#take(proven.ok ? { ok: false, ...fault } : proven)
    return undefined
  }

  #take(finding: BubblewrapFinding): void {
    if (this.#option === 'require' && !finding.ok) {
      throw new SandboxConfigError(
        `hardening: 'require' cannot be held on this machine. ${finding.reason} ${finding.remedy}`,
        { field: 'hardening' },
      )
    }
    this.#finding = finding
    const { found } = this
    if (found?.cells !== 'none' || this.#told) return
    this.#told = true
    this.#onFallback(found)
  }
}
