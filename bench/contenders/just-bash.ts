import { Bash } from 'just-bash'
import type { Contender, Shell } from './contender.ts'
import { readTree, refuseHosting } from './local.ts'

const executionLimits = { maxLoopIterations: 1e7, maxCommandCount: 1e7, maxWorkUnits: 1e9 }

/** A bash in TypeScript that runs in its caller's thread. */
export const justBash: Contender = {
  name: 'just-bash',
  start: async (setting = {}) => {
    refuseHosting(setting)
    return { open: async (tree) => openShell(tree), close: async () => undefined }
  },
}

function openShell(tree: string | undefined): Shell {
  const root = tree === undefined ? '/tmp' : '/work'
  const bash = new Bash({ executionLimits, ...(tree === undefined ? {} : { files: readTree(tree, root) }) })
  return {
    root,
    execute: (command) => bash.exec(command),
    readFile: (path) => bash.fs.readFileBuffer(path),
    writeFile: (path, content) => bash.fs.writeFile(path, content),
    close: async () => undefined,
  }
}
