import { afterAll, describe, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { type SandboxContractOptions, sandboxContract } from '../../src/testing/index.ts'
import { isFull } from '../support/tier.ts'

/** Runs the contract that every sandbox of this project keeps: all of its statements, or those at some places. */
export function describeContract(
  name: string,
  options: SandboxContractOptions,
  has: (index: number, title: string) => boolean = () => true,
): void {
  describe(`the sandbox contract (${name})`, () => {
    const contract = sandboxContract(options)
    for (const [index, { title, run }] of contract.entries()) if (has(index, title)) it(title, run)
  })
}

/**
 * The same options in the full tier. In the default tier all statements share a sandbox, which is closed after the last:
 * each has a directory of its own there, and starts nothing.
 */
export function sharedByTier({ open, ...options }: SandboxContractOptions): SandboxContractOptions {
  if (isFull) return { open, ...options }
  let sandbox: Promise<Sandbox> | undefined
  afterAll(async () => {
    const opened = await sandbox
    if (opened !== undefined && 'close' in opened && typeof opened.close === 'function') await opened.close()
  })
  return {
    ...options,
    open: () => {
      sandbox ??= Promise.resolve(open())
      return sandbox
    },
    close: () => undefined,
  }
}
