import { describe, it } from 'vitest'
import { type SandboxContractOptions, sandboxContract } from '../../src/testing/index.ts'

/** Runs the contract that every sandbox of this project keeps. */
export function describeContract(name: string, options: SandboxContractOptions): void {
  describe(`the sandbox contract (${name})`, () => {
    for (const { title, run } of sandboxContract(options)) it(title, run)
  })
}
