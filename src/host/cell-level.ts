import type { HostEngine } from '../engines/host-engine.ts'
import type { EgressListeners } from '../network/events.ts'
import { CellNetwork } from '../places/cells/cell-network.ts'
import { CellPlaces } from '../places/cells/cell-places.ts'
import type { CellHardening } from '../places/cells/jail/found-hardening.ts'
import { CellHardener } from '../places/cells/jail/hardening.ts'
import { codeOfCells } from '../places/code/makers.ts'
import type { Places } from '../places/places.ts'
import { sandboxesPerWorkerDefaults } from './derive-places.ts'
import { cellNetwork } from './network-policy.ts'
import type { ResolvedHostOptions } from './options.ts'

/** Who is told of what the cells of a host do. */
export interface CellListeners {
  /** Of what their proxy does. */
  readonly egress: EgressListeners
  /** Once, where they are in no jail, and could be by the options. */
  readonly onFallback: (found: CellHardening) => void
  /** When a warm place may be gone, or may be made again. */
  readonly onFreePlaces: () => void
  /** When an opening has to wait for another sandbox. */
  readonly onWait: () => void
}

/** What the cells of a host have in common, whatever their engine. */
export class CellLevel {
  readonly #options: ResolvedHostOptions
  readonly #listeners: CellListeners
  readonly #hardening: CellHardener
  /** Cells that were started. */
  #count = 0

  constructor(options: ResolvedHostOptions, listeners: CellListeners) {
    this.#options = options
    this.#listeners = listeners
    this.#hardening = new CellHardener(options.hardening, listeners.onFallback)
  }

  /** Undefined before the first cell is started. */
  get hardening(): CellHardening | undefined {
    return this.#hardening.found
  }

  /** @param warm - places that are kept ready. */
  makePlaces(engine: HostEngine, warm: number): Places {
    const { sandboxesPerWorker, idleWorkerTimeout, network, cellsFor } = this.#options
    const { egress, onFreePlaces, onWait } = this.#listeners
    return new CellPlaces({
      ...this.#options,
      engine,
      fillsCells: cellsFor !== 'policy',
      sandboxesPerWorker: sandboxesPerWorker ?? sandboxesPerWorkerDefaults.process,
      warm,
      idleTimeout: idleWorkerTimeout,
      nameCell: () => `cell-${++this.#count}`,
      onFreePlaces,
      onWait,
      network: new CellNetwork(cellNetwork(network), egress),
      hardening: this.#hardening,
      code: codeOfCells,
    })
  }
}
