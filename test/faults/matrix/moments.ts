import { existsSync } from 'node:fs'
import { type HostedSandbox, HostSaturatedError, type ShellHost } from '../../../src/index.ts'
import { until } from '../basics.ts'
import { held, type Scene, type Stage, wordOf } from './stage.ts'

/** Opens a sandbox on a host that has little time for it. */
async function openPatiently(stage: Stage, host: ShellHost, id: string): Promise<HostedSandbox> {
  for (let tries = 1; ; tries++) {
    try {
      return await stage.openFaulty(host, id, { nameless: true })
    } catch (error) {
      if (!(error instanceof HostSaturatedError) || tries === 20) throw error
    }
  }
}

/** Brings a sandbox into the state in which the fault strikes it. */
type Begin = () => Promise<Scene>

/** Opens a sandbox of this id, which no other moment of the stage has. */
type Moment = (stage: Stage, id: string) => Promise<Begin>

/** Opens a sandbox that has a file of its first session. */
async function opened(stage: Stage, id: string, host: ShellHost = stage.main) {
  const sandbox = await stage.openFaulty(host, id)
  await sandbox.execute('echo kept > /tmp/mark')
  const pid = Number((await sandbox.execute('fault pid')).stdout)
  const scene = { id, host, trigger: stage.triggerOf(id), pid, again: async () => sandbox }
  return { sandbox, scene }
}

/** A sandbox with a call that is held until the fault strikes. */
async function calling(
  stage: Stage,
  id: string,
  call: (sandbox: HostedSandbox) => Promise<unknown>,
): Promise<Begin> {
  const { sandbox, scene } = await opened(stage, id)
  return async () => {
    const word = wordOf(call(sandbox))
    await held(scene.trigger)
    return { ...scene, end: () => word }
  }
}

/** Resolves when a fault that strikes no call has struck. */
function struck(sandbox: HostedSandbox, trigger: string): Promise<void> {
  return until(() => sandbox.status === 'lost' || existsSync(`${trigger}.over`), 120)
}

export const moments = {
  open: async (stage, id) => {
    const { opener } = stage.options
    const host = opener === undefined ? stage.main : stage.makeHost(opener)
    const open = () => openPatiently(stage, host, id)
    if (opener !== undefined) await (await open()).close()
    const trigger = stage.triggerOf(id)
    const word = wordOf(stage.openFaulty(host, id, { env: { FAULT_OPEN: 'hold' } }))
    await Promise.race([held(trigger), word])
    return async () => ({
      id,
      host,
      trigger,
      pid: undefined,
      end: () => word,
      again: async () => host.get(id) ?? open(),
    })
  },

  execute: (stage, id) => calling(stage, id, (sandbox) => sandbox.execute('fault hold', stage.options.call)),

  'stream half-read': async (stage, id) => {
    const { sandbox, scene } = await opened(stage, id)
    return async () => {
      const stream = sandbox.executeStreaming('fault arm')
      await stream.next()
      // The rest has come as well.
      await until(() => scene.host.list().every((one) => one.id !== id || one.pending === 0), 60)
      const end = async () => {
        await struck(sandbox, scene.trigger)
        let rest = 0
        for await (const _ of stream) rest += 1
        return rest === 2 ? 'read' : `${rest} events`
      }
      return { ...scene, end, resting: sandbox }
    }
  },

  'file write': (stage, id) =>
    calling(stage, id, (sandbox) => sandbox.writeFile('/tmp/held', new Uint8Array(2 ** 20))),

  'file read': (stage, id) => calling(stage, id, (sandbox) => sandbox.readFile('/tmp/held')),

  close: async (stage, id) => {
    const { sandbox, scene } = await opened(stage, id)
    return async () => {
      const word = wordOf(sandbox.execute('fault hold'))
      await held(scene.trigger)
      let closing: Promise<void> | undefined
      return {
        ...scene,
        begin: () => {
          closing = sandbox.close()
        },
        end: async () => {
          await closing
          return (await word) === 'CLOSED' ? 'closed' : `closed, call ${await word}`
        },
        again: () => stage.openFaulty(scene.host, id),
      }
    }
  },

  drain: async (stage, id) => {
    const host = stage.makeHost()
    const { sandbox, scene } = await opened(stage, id, host)
    return async () => {
      const word = wordOf(sandbox.execute('fault hold', stage.options.call))
      await held(scene.trigger)
      let draining: Promise<void> | undefined
      return {
        ...scene,
        begin: () => {
          draining = host.drain({ grace: 120 })
        },
        end: async () => {
          await draining
          return `${await word}, drained`
        },
        again: () => undefined,
      }
    }
  },

  'queued call': async (stage, id) => {
    const { sandbox, scene } = await opened(stage, id)
    return async () => {
      void wordOf(sandbox.execute('fault hold', stage.options.call))
      await held(scene.trigger)
      const word = wordOf(sandbox.execute('echo queued'))
      return { ...scene, end: () => word }
    }
  },

  'queued open': async (stage, id) => {
    const host = stage.makeHost({ maxSandboxes: 1 })
    const { sandbox, scene } = await opened(stage, `${id} holder`, host)
    return async () => {
      const holding = wordOf(sandbox.execute('fault hold', stage.options.call))
      await held(scene.trigger)
      const opening = stage.openFaulty(host, id)
      const word = wordOf(opening)
      const end = async () => {
        await holding
        if (sandbox.status === 'open') await sandbox.close()
        return (await word) === 'done' ? 'opens' : word
      }
      return { ...scene, id, end, again: () => opening }
    }
  },

  idle: async (stage, id) => {
    const { sandbox, scene } = await opened(stage, id)
    return async () => {
      await sandbox.execute('fault arm')
      const end = async () => {
        await struck(sandbox, scene.trigger)
        return 'nothing'
      }
      return { ...scene, end, resting: sandbox }
    }
  },
} satisfies Record<string, Moment>

/** The moments whose sandbox has a host of its own. */
export const withOwnHost: ReadonlySet<string> = new Set<keyof typeof moments>(['drain', 'queued open'])

/** What goes on when a fault strikes. */
export type MomentName = keyof typeof moments

export const momentNames = Object.keys(moments) as readonly MomentName[]
