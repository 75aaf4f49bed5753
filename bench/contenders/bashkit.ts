import { Bash, type BashOptions } from '@everruns/bashkit'
import type { Contender, Shell } from './contender.ts'
import { readTree, refuseHosting } from './local.ts'

/** The profile without the limit of 1000 calls, and without its other limits on long work. */
const options: BashOptions = {
  profile: 'Interactive',
  maxCommands: 1e7,
  maxLoopIterations: 1e7,
  maxTotalLoopIterations: 1e7,
}

/** A bash in Rust, as an addon of its caller's process. */
export const bashkit: Contender = {
  name: 'bashkit',
  start: async (setting = {}) => {
    refuseHosting(setting)
    return { open: async (tree) => openShell(tree), close: async () => undefined }
  },
}

function openShell(tree: string | undefined): Shell {
  const root = tree === undefined ? '/tmp' : '/work'
  const bash = new Bash(tree === undefined ? options : { ...options, files: readTree(tree, root) })
  return {
    root,
    execute: (command) => bash.execute(command),
    readFile: async (path) => new TextEncoder().encode(bash.readFile(path)),
    writeFile: async (path, content) => bash.writeFile(path, new TextDecoder().decode(content)),
    close: async () => undefined,
  }
}
