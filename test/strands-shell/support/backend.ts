import { onTestFinished } from 'vitest'
import type { Isolation, StrandsShellConfig } from '../../../src/index.ts'
import { StrandsShellSandbox } from '../../../src/index.ts'
import { allLevels } from '../../support/describe-engines.ts'
import { strands } from '../../support/strands-engine.ts'
import { isFull } from '../../support/tier.ts'

/** A sandbox of Strands Shell at one isolation level: for suites of what is this engine's alone. */
export interface Backend {
  readonly name: Isolation
  /** Makes a sandbox that is closed when the test ends. Starts nothing. */
  create(config?: StrandsShellConfig): StrandsShellSandbox
  /** The same, opened. */
  open(config?: StrandsShellConfig): Promise<StrandsShellSandbox>
}

/** Every isolation level in the full tier, one in the default tier. */
export const backends: readonly Backend[] = (isFull ? allLevels : [strands.level]).map(backendOf)

function backendOf(name: Isolation): Backend {
  const create = (config: StrandsShellConfig = {}) => {
    const sandbox = new StrandsShellSandbox({ isolation: name, ...config })
    onTestFinished(() => sandbox.close())
    return sandbox
  }
  return {
    name,
    create,
    async open(config) {
      const sandbox = create(config)
      await sandbox.open()
      return sandbox
    },
  }
}
