import type { HostedConfig, HostedSandbox, ShellHost } from '../../../src/index.ts'
import { bashFaults, type Fault, strandsFaults } from './faults.ts'
import type { EngineName } from './system-faults.ts'

/** An engine that faults strike. */
export interface MatrixEngine {
  readonly name: EngineName
  /** How the page names it. */
  readonly title: string
  /** True where the session after a lost one has what the last call had left. */
  readonly goesOn: boolean
  /** True where a call that does not stop ends with its thread. */
  readonly endsThreads: boolean
  /** True where a copy of it is made before it is loaded. */
  readonly hasCache: boolean
  /** Where its turn begins in what engines share in the default tier: levels, faults of cells, signals. */
  readonly turn: 0 | 1
  readonly faults: readonly Fault[]
  open(host: ShellHost, config: HostedConfig, id?: string): Promise<HostedSandbox>
}

/** Every engine, by name. */
export const matrixEngines: Readonly<Record<EngineName, MatrixEngine>> = {
  strands: {
    name: 'strands',
    title: 'Strands Shell',
    goesOn: false,
    endsThreads: false,
    hasCache: true,
    turn: 1,
    faults: strandsFaults,
    open: (host, config, id) => host.open({ ...config, shell: 'strands' }, { id }),
  },
  bash: {
    name: 'bash',
    title: 'bash',
    goesOn: true,
    endsThreads: true,
    hasCache: false,
    turn: 0,
    faults: bashFaults,
    open: (host, config, id) => host.open({ ...config, shell: 'bash' }, { id }),
  },
}
