import type { EngineName } from '../../../src/contract/lease.ts'
import type { HostedConfig, HostedSandbox, ShellHost } from '../../../src/index.ts'
import { isFull } from '../../support/tier.ts'
import { bashFaults, type Fault, strandsFaults } from './faults.ts'

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
  /** True where every fault strikes at every level in each tier; else one level stands for all in the default tier. */
  readonly isWhole: boolean
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
    isWhole: true,
    faults: strandsFaults,
    open: (host, config, id) => host.open({ ...config, shell: 'strands' }, { id }),
  },
  bash: {
    name: 'bash',
    title: 'bash',
    goesOn: true,
    endsThreads: true,
    hasCache: false,
    isWhole: isFull,
    faults: bashFaults,
    open: (host, config, id) => host.open({ ...config, shell: 'bash' }, { id }),
  },
}
