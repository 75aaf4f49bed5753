import type { Sandbox } from '../sandbox/sandbox.ts'
import { invalidArguments } from './arguments.ts'
import { code } from './code.ts'
import { commands } from './commands.ts'
import type { ContractTest, Subject } from './contract-test.ts'
import { fileTrees } from './file-trees.ts'
import { files } from './files.ts'
import { interrupts } from './interrupts.ts'
import { standardInput } from './stdin.ts'
import { transfers } from './transfers.ts'

export type { ContractTest } from './contract-test.ts'
export type {
  FakeCall,
  FakeCommand,
  FakeCommands,
  FakeOutput,
  FakeResult,
  FakeStep,
} from './fake/fake-command.ts'
export { type FakeRecord, FakeSandbox, type FakeSandboxOptions } from './fake/fake-sandbox.ts'

/** What the contract is tried on. */
export interface SandboxContractOptions {
  /** Opens a sandbox. Each test gets one of its own. */
  readonly open: () => Promise<Sandbox> | Sandbox
  /**
   * Ends it.
   *
   * @default its `close()`, where it has one
   */
  readonly close?: ((sandbox: Sandbox) => Promise<void> | void) | undefined
  /**
   * An absolute directory in the sandbox that a test may write in; each makes one of its own there.
   *
   * @default '/tmp'
   */
  readonly directory?: string | undefined
}

const statements = {
  ...commands,
  ...standardInput,
  ...interrupts,
  ...code,
  ...files,
  ...fileTrees,
  ...transfers,
  ...invalidArguments,
}

/**
 * States what every {@link Sandbox} must do, as tests of any framework: give each to `it` or `test`. They use `sh`,
 * `cat`, `chmod`, `ln`, `ls`, `mkdir`, `printf`, `sleep`, `tr` and `wc`, a temporary directory of the host, and no network. Allow each
 * a minute.
 */
export function sandboxContract({
  open,
  close = closeIt,
  directory = '/tmp',
}: SandboxContractOptions): ContractTest[] {
  return Object.entries(statements).map(([title, holds]) => ({
    title,
    run: async () => {
      const sandbox = await open()
      try {
        await holds({ sandbox, directory: await freshDirectory(sandbox, directory) } satisfies Subject)
      } finally {
        await close(sandbox)
      }
    },
  }))
}

let directories = 0

async function freshDirectory(sandbox: Sandbox, parent: string): Promise<string> {
  const path = `${parent}/contract-${process.pid}-${Date.now()}-${++directories}`
  await sandbox.makeDirectory(path)
  return path
}

async function closeIt(sandbox: Sandbox): Promise<void> {
  if ('close' in sandbox && typeof sandbox.close === 'function') await sandbox.close()
}
