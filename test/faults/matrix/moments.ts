import { existsSync } from 'node:fs'
import {
  HostSaturatedError,
  type ShellHost,
  type StrandsShellConfig,
  type StrandsShellSandbox,
} from '../../../src/index.ts'
import { until } from '../basics.ts'
import { held, type Scene, type Stage, wordOf } from './stage.ts'

/** Opens a sandbox on a host that has little time for it. */
async function openPatiently(host: ShellHost, config: StrandsShellConfig): Promise<StrandsShellSandbox> {
  for (let tries = 1; ; tries++) {
    try {
      return await host.open(config)
    } catch (error) {
      if (!(error instanceof HostSaturatedError) || tries === 5) throw error
    }
  }
}

/** Brings a sandbox of this id, which no other moment of the stage has, into the state in which the fault strikes. */
type Moment = (stage: Stage, id: string) => Promise<Scene>

/** Opens a sandbox that has a file of its first session. */
async function opened(stage: Stage, id: string, host: ShellHost = stage.main) {
  const sandbox = await host.open(stage.configOf(id), { id })
  await sandbox.execute('echo kept > /tmp/mark')
  const pid = Number((await sandbox.execute('fault pid')).stdout)
  const scene = { id, host, trigger: stage.triggerOf(id), pid, again: async () => sandbox }
  return { sandbox, scene }
}

/** A sandbox with a call that is held until the fault strikes. */
async function calling(stage: Stage, id: string, call: (sandbox: StrandsShellSandbox) => Promise<unknown>) {
  const { sandbox, scene } = await opened(stage, id)
  const word = wordOf(call(sandbox))
  await held(scene.trigger)
  return { sandbox, scene: { ...scene, end: () => word } }
}

/** Resolves when a fault that strikes no call has struck. */
function struck(sandbox: StrandsShellSandbox, trigger: string): Promise<void> {
  return until(() => sandbox.status === 'lost' || existsSync(`${trigger}.over`), 120)
}

export const moments = {
  open: async (stage, id) => {
    const { opener } = stage.options
    const host = opener === undefined ? stage.main : stage.makeHost(opener)
    const open = () => openPatiently(host, stage.configOf(id))
    if (opener !== undefined) await (await open()).close()
    const trigger = stage.triggerOf(id)
    const opening = host.open(stage.configOf(id, { FAULT_OPEN: 'hold' }), { id })
    const word = wordOf(opening)
    await Promise.race([held(trigger), word])
    return {
      id,
      host,
      trigger,
      pid: undefined,
      end: () => word,
      again: async () => host.get(id) ?? open(),
    }
  },

  execute: async (stage, id) =>
    (await calling(stage, id, (sandbox) => sandbox.execute('fault hold', stage.options.call))).scene,

  'stream half-read': async (stage, id) => {
    const { sandbox, scene } = await opened(stage, id)
    const stream = sandbox.executeStreaming('fault arm')
    await stream.next()
    const end = async () => {
      await struck(sandbox, scene.trigger)
      let rest = 0
      for await (const _ of stream) rest += 1
      return rest === 2 ? 'read' : `${rest} events`
    }
    return { ...scene, end, resting: sandbox }
  },

  'file write': async (stage, id) =>
    (await calling(stage, id, (sandbox) => sandbox.writeFile('/tmp/held', new Uint8Array(2 ** 20)))).scene,

  'file read': async (stage, id) =>
    (await calling(stage, id, (sandbox) => sandbox.readFile('/tmp/held'))).scene,

  close: async (stage, id) => {
    const { sandbox, scene } = await calling(stage, id, (sandbox) => sandbox.execute('fault hold'))
    let closing: Promise<void> | undefined
    const end = async () => {
      await closing
      const word = await scene.end()
      return word === 'CLOSED' ? 'closed' : `closed, call ${word}`
    }
    return {
      ...scene,
      begin: () => {
        closing = sandbox.close()
      },
      end,
      again: () => scene.host.open(stage.configOf(id), { id }),
    }
  },

  drain: async (stage, id) => {
    const host = stage.makeHost()
    const { sandbox, scene } = await opened(stage, id, host)
    const word = wordOf(sandbox.execute('fault hold', stage.options.call))
    await held(scene.trigger)
    let draining: Promise<void> | undefined
    return {
      ...scene,
      begin: () => {
        draining = host.drain({ grace: 20 })
      },
      end: async () => {
        await draining
        return `${await word}, drained`
      },
      again: () => undefined,
    }
  },

  'queued call': async (stage, id) => {
    const { sandbox, scene } = await calling(stage, id, (sandbox) =>
      sandbox.execute('fault hold', stage.options.call),
    )
    const word = wordOf(sandbox.execute('echo queued'))
    return { ...scene, end: () => word }
  },

  'queued open': async (stage, id) => {
    const host = stage.makeHost({ maxSandboxes: 1 })
    const { sandbox, scene } = await opened(stage, `${id} holder`, host)
    const holding = wordOf(sandbox.execute('fault hold', stage.options.call))
    await held(scene.trigger)
    const opening = host.open(stage.configOf(id), { id })
    const word = wordOf(opening)
    const end = async () => {
      await holding
      if (sandbox.status === 'open') await sandbox.close()
      return (await word) === 'done' ? 'opens' : word
    }
    return { ...scene, id, end, again: () => opening }
  },

  idle: async (stage, id) => {
    const { sandbox, scene } = await opened(stage, id)
    await sandbox.execute('fault arm')
    const end = async () => {
      await struck(sandbox, scene.trigger)
      return 'nothing'
    }
    return { ...scene, end, resting: sandbox }
  },
} satisfies Record<string, Moment>

/** What goes on when a fault strikes. */
export type MomentName = keyof typeof moments

export const momentNames = Object.keys(moments) as readonly MomentName[]
