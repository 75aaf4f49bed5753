import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Isolation,
  ShellHost,
  type ShellHostOptions,
  type StrandsShellSandbox,
} from '../../src/index.ts'
import type { Contender, Setting, Shell, ShellSource } from './contender.ts'

/** Sandboxes of one isolation level. */
export function ours(isolation: Isolation): Contender {
  return {
    name: `ours-${isolation}`,
    start: async (setting = {}) => {
      const options = hostOptions(isolation, setting)
      return isolation === 'process' && setting.startEach === true ? coldCells(options) : oneHost(options)
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

function oneHost(options: ShellHostOptions): ShellSource {
  const host = new ShellHost(options)
  return {
    open: async (tree) => wrap(await open(host, tree)),
    ready: async () => {
      if (options.warm === 0) return
      while (host.stats().leased > 0 || host.stats().idle === 0) await sleep(5)
    },
    close: () => host.close(),
  }
}

/** Each sandbox in a cell that is started for it. */
function coldCells(options: ShellHostOptions): ShellSource {
  return {
    open: async (tree) => {
      const host = new ShellHost(options)
      return { ...wrap(await open(host, tree)), close: () => host.close() }
    },
    close: async () => undefined,
  }
}

function open(host: ShellHost, tree: string | undefined): Promise<StrandsShellSandbox> {
  return host.open(
    tree === undefined ? {} : { binds: [{ source: tree, destination: '/work', mode: 'copy' }] },
  )
}

function wrap(sandbox: StrandsShellSandbox): Shell {
  return {
    root: sandbox.summary.binds.length > 0 ? '/work' : '/tmp',
    execute: (command) => sandbox.execute(command),
    executeMany: (commands) => sandbox.executeMany(commands),
    readFile: (path) => sandbox.readFile(path),
    writeFile: (path, content) => sandbox.writeFile(path, content),
    close: () => sandbox.close(),
  }
}
