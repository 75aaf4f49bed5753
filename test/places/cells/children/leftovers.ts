import { setTimeout as sleep } from 'node:timers/promises'
import { ShellHost, type StrandsShellSandbox } from '../../../../src/index.ts'
import { openFiles, ownCells } from './cells-of.ts'

/** In the module's scope, so that nothing is collected. */
const kept: (ShellHost | StrandsShellSandbox)[] = []
const endless = 'cat /dev/zero >/dev/null'

/** What a host does before it is closed. */
const lives: Readonly<Record<string, (host: ShellHost) => Promise<unknown>>> = {
  'a call': async (host) => (await host.open()).execute('echo a'),
  'cells that were killed': async (host) => {
    const sandboxes = [await host.open(), await host.open()]
    for (const pid of ownCells()) process.kill(pid, 'SIGKILL')
    for (const sandbox of sandboxes) await sandbox.execute('echo a').catch(() => undefined)
    return sandboxes[0]?.execute('echo a')
  },
  'a command that never ends': async (host) =>
    (await host.open({ onInterrupt: 'reset' })).execute(endless, { timeout: 0.2 }).catch(() => undefined),
  'a sandbox that waits': async (host) => {
    await Promise.all([host.open(), host.open()])
    host.open().catch(() => undefined)
    await sleep(50)
  },
  'an opening under way': async (host) => {
    host.open().catch(() => undefined)
    await sleep(20)
  },
  'an opening that has just begun': async (host) => {
    host.open().catch(() => undefined)
  },
  nothing: async () => undefined,
}

/** A warm host with this life, closed; what is left of it then. */
async function left(life: (host: ShellHost) => Promise<unknown>): Promise<unknown> {
  const use = async (warm: number) => {
    const host = new ShellHost({ maxCells: 2, sandboxesPerCell: 1, warm })
    await life(host)
    await host.close()
    await host.close()
  }
  await use(0)
  const before = { files: openFiles(), listeners: listeners() }
  await use(0)
  await use(1)
  // A handle that is closed is gone some turns of the event loop later.
  const end = performance.now() + 10_000
  await sleep(1)
  while (openFiles() > before.files && performance.now() < end) await sleep(20)
  const resources = process.getActiveResourcesInfo().filter((name) => !/^(PipeWrap|TTYWrap)$/.test(name))
  return {
    cells: ownCells().length,
    resources,
    // Node itself may have closed some meanwhile.
    files: Math.max(0, openFiles() - before.files),
    listeners: listeners() - before.listeners,
  }
}

function listeners(): number {
  return process.eventNames().reduce((count, name) => count + process.listenerCount(name), 0)
}

/** What a script has done when it comes to its end, without closing anything. */
const scripts: Readonly<Record<string, (host: ShellHost) => Promise<unknown>>> = {
  ...lives,
  'a warm host': async () => {
    kept.push(new ShellHost({ warm: 1 }))
    while (ownCells().length === 0) await sleep(10)
  },
}

const [what, name = ''] = process.argv.slice(2)
if (what === 'closed') {
  const life = lives[name]
  if (life !== undefined) console.log(JSON.stringify(await left(life)))
} else {
  // The one that waits ends the script with its time limit.
  const openTimeout = name === 'a sandbox that waits' ? 5 : 30
  const host = new ShellHost({ maxCells: 2, sandboxesPerCell: 1, openTimeout })
  kept.push(host)
  await scripts[name]?.(host)
  console.log(JSON.stringify(ownCells()))
}
