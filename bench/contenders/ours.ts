import { setTimeout as sleep } from 'node:timers/promises'
import type { BashSandbox } from '../../src/bash/index.ts'
import {
  type Isolation,
  ShellHost,
  type ShellHostOptions,
  type StrandsShellSandbox,
} from '../../src/index.ts'
import type { JailSandbox } from '../../src/jail/index.ts'
import { type Contender, isContender, type Setting, type Shell, type ShellSource } from './contender.ts'

type Sandbox = StrandsShellSandbox | BashSandbox | JailSandbox
/** Opens a sandbox with a copy of a host directory at `/work`. */
type Open = (host: ShellHost, tree: string | undefined) => Promise<Sandbox>

const bindOf = <Mode>(source: string | undefined, mode: Mode) =>
  source === undefined ? [] : [{ source, destination: '/work', mode }]

const shells = {
  strands: (host, tree) => host.open({ binds: bindOf(tree, 'copy' as const) }),
  bash: (host, tree) => host.open({ shell: 'bash', binds: bindOf(tree, 'copy' as const) }),
  jail: (host, tree) => host.open({ shell: 'jail', binds: bindOf(tree, 'overlay' as const) }),
} as const satisfies Record<string, Open>

/** Sandboxes of one shell and one isolation level. */
export function ours(isolation: Isolation, shell: keyof typeof shells = 'strands'): Contender {
  const name = shell === 'strands' ? `ours-${isolation}` : `ours-${shell}-${isolation}`
  if (!isContender(name)) throw new Error(`There is no contender ${name}.`)
  const open = shells[shell]
  return {
    name,
    start: async (setting = {}) => {
      const options = hostOptions(isolation, setting)
      const isCold = isolation === 'process' && setting.startEach === true
      return isCold ? coldCells(options, open) : oneHost(options, open)
    },
  }
}

function hostOptions(
  isolation: Isolation,
  { capacity = 64, cells = 2, startEach, warm = 0 }: Setting,
): ShellHostOptions {
  const queue = { isolation, warm, maxSandboxes: capacity + warm, maxQueued: capacity + warm }
  if (startEach === true) return { ...queue, maxIdleWorkers: 0, maxCells: 1 }
  if (isolation !== 'process') return queue
  const sandboxesPerCell = Math.ceil((capacity + warm) / cells)
  return {
    ...queue,
    maxCells: cells,
    sandboxesPerCell,
    sandboxesPerWorker: sandboxesPerCell > 64 ? Math.min(128, sandboxesPerCell) : 1,
  }
}

function oneHost(options: ShellHostOptions, open: Open): ShellSource {
  const host = new ShellHost(options)
  return {
    open: async (tree) => wrap(await open(host, tree), tree),
    ready: async () => {
      if (options.warm === 0) return
      while (host.stats().leased > 0 || host.stats().idle === 0) await sleep(5)
    },
    close: () => host.close(),
  }
}

/** Each sandbox in a cell that is started for it. */
function coldCells(options: ShellHostOptions, open: Open): ShellSource {
  return {
    open: async (tree) => {
      const host = new ShellHost(options)
      return { ...wrap(await open(host, tree), tree), close: () => host.close() }
    },
    close: async () => undefined,
  }
}

function wrap(sandbox: Sandbox, tree: string | undefined): Shell {
  return {
    root: tree === undefined ? '/tmp' : '/work',
    execute: (command) => sandbox.execute(command),
    executeMany: (commands) => sandbox.executeMany(commands),
    readFile: (path) => sandbox.readFile(path),
    writeFile: (path, content) => sandbox.writeFile(path, content),
    close: () => sandbox.close(),
  }
}
