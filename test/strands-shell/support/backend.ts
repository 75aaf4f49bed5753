import { onTestFinished } from 'vitest'
import type { Isolation, StrandsShellConfig } from '../../../src/index.ts'
import { StrandsShellSandbox } from '../../../src/index.ts'

/** A way to run the behaviour suite: every test of it runs once for each backend. */
export interface Backend {
  readonly name: Isolation
  /** Makes a sandbox that is closed when the test ends. Starts nothing. */
  create(config?: StrandsShellConfig): StrandsShellSandbox
  /** The same, opened. */
  open(config?: StrandsShellConfig): Promise<StrandsShellSandbox>
}

/** Every isolation level that this version has. */
export const backends: readonly Backend[] = [backendOf('worker'), backendOf('shared'), backendOf('process')]

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
