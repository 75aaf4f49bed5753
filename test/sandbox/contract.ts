import { describe, it } from 'vitest'
import { type SandboxContractOptions, sandboxContract } from '../../src/testing/index.ts'

/** Runs the contract that every sandbox of this project keeps: all of its statements, or those at some places. */
export function describeContract(
  name: string,
  options: SandboxContractOptions,
  has: (index: number) => boolean = () => true,
): void {
  describe(`the sandbox contract (${name})`, () => {
    for (const [index, { title, run }] of sandboxContract(options).entries()) if (has(index)) it(title, run)
  })
}
