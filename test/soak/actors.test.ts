import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { burst } from '../../soak/actions/bursts.ts'
import { read, write } from '../../soak/actions/files.ts'
import { Actor } from '../../soak/actor.ts'
import { actorsOf, saboteurOf } from '../../soak/actors.ts'
import { SoakContext } from '../../soak/context.ts'
import type { Level } from '../../soak/level.ts'
import { tokenOf } from '../../soak/origin.ts'
import { Random } from '../../soak/random.ts'
import { collaborator } from '../../soak/roles/collaborator.ts'
import { Resident } from '../../soak/roles/resident.ts'
import { soakShells } from '../../soak/shells/index.ts'
import type { SoakShellName } from '../../soak/shells/shell.ts'
import type { Isolation } from '../../src/index.ts'
import { within } from '../faults/helpers.ts'

async function contextOf(
  isolation: Isolation,
  shell: SoakShellName = 'strands',
): Promise<{ readonly context: SoakContext; readonly level: Level }> {
  const directory = mkdtempSync(join(tmpdir(), 'soak-'))
  const context = await SoakContext.make({ seed: 1, shell: soakShells[shell], jails: false }, directory, [
    isolation,
  ])
  const level = context.levels.get(isolation)
  if (level === undefined) throw new Error('the context has no such level')
  onTestFinished(async () => {
    await within(60, context.close())
    rmSync(directory, { recursive: true, force: true })
  })
  return { context, level }
}

/** An action of this kind on `/tmp/a`, the way that works at every level. */
function on<Stage>(plan: typeof write | typeof read, stage: Stage & Resident): Promise<void> {
  for (let seed = 0; ; seed++) {
    const action = plan(new Random(seed, 'act'))
    if (action.text.endsWith('/tmp/a by call')) return action.perform(stage)
  }
}

it.each([
  ['strands', 'worker'],
  ['strands', 'process'],
  ['bash', 'process'],
] as const)(
  'of %s under %s every actor chooses the same actions for the same seed',
  async (shell, isolation) => {
    const planned = async (seed: number) => {
      const { context, level } = await contextOf(isolation, shell)
      const actors = [...actorsOf(context, level, 11), saboteurOf(context, level, new Set())]
      return actors.map((actor) => [actor.name, actor.planned(seed, 50)])
    }
    const first = await planned(5)
    // The texts hold no ports, which differ between runs.
    expect(await planned(5)).toEqual(first)
    expect(await planned(6)).not.toEqual(first)
    expect(new Set(first.map(([, texts]) => JSON.stringify(texts))).size).toBe(first.length)
  },
)

it('ends the run with actor, step and trace when an actor reads what it has not written', async () => {
  const { context, level } = await contextOf('shared')
  const resident = new Resident('victim', context, level)
  let step = 0
  const choose = () => ({
    text: `action ${step}`,
    perform: async () => {
      if (step++ < 2) return on(write, resident)
      await (await resident.tracked()).call('talk across', (it) => it.writeText('/tmp/a', 'of another'))
      await on(read, resident)
    },
  })
  const actor = new Actor('victim', { choose, end: () => resident.end() }, level.lock)
  await within(60, actor.run(context, 0.001))
  expect(context.violation?.message).toBe(
    'victim, step 2: /tmp/a holds "of another", and should hold "victim#2"',
  )
  const [first, second] = actor.trace
  expect([first, second]).toEqual([
    expect.stringMatching(/^0 at \d+\.\d s: action 0$/),
    expect.stringMatching(/^1 at .* action 1$/),
  ])
  expect(context.stopping.aborted).toBe(true)
  await resident.end()
})

it('ends the run when calls take effect out of order', async () => {
  const { context, level } = await contextOf('shared')
  const resident = new Resident('victim', context, level)
  await (await resident.tracked()).call('lie', (it) => {
    return it.execute(`alias echo='printf "%s\\n" "of another" >> /tmp/log; echo'`)
  })
  const action = burst(new Random(1, 'burst'))
  await expect(action.perform(resident)).rejects.toThrow('the order in which calls took effect is ')
  await resident.end()
})

it('ends the run when a session is lost without a fault', async () => {
  const { context, level } = await contextOf('shared')
  const resident = new Resident('victim', context, level)
  const tracked = await resident.tracked()
  const command = 'find /tmp -maxdepth 0 -exec [ a = ] \\;'
  await expect(tracked.call('panic', (it) => it.execute(command))).rejects.toThrow('lost: ENGINE_PANIC')
  expect(context.violation?.message).toBe('victim.1 was lost (ENGINE_PANIC), and no fault explains it')
  await resident.end()
})

it('ends the action with a violation when another party closed the sandbox', async () => {
  const { context, level } = await contextOf('shared')
  const resident = new Resident('victim', context, level)
  const tracked = await resident.tracked()
  await level.host.get('victim.1')?.close()
  await expect(tracked.call('use', (it) => it.execute('true'))).rejects.toThrow(
    'closed, and nobody closed it',
  )
  await resident.end()
})

it('reports a level with a pending call as not idle', async () => {
  const { context, level } = await contextOf('shared')
  const resident = new Resident('victim', context, level)
  const tracked = await resident.tracked()
  const call = tracked.call('pending', (it) => it.execute('sleep 0.2'))
  expect(() => level.checkIdle()).toThrow('shared is {"running":1')
  await call
  level.checkIdle()
  await resident.end()
})

it('ends the run when a token is sent to the wrong server or is missing', async () => {
  const astray = await contextOf('shared')
  await fetch(`${astray.context.origins.public}/a/text`, {
    headers: { authorization: `Bearer ${tokenOf('a')}` },
  })
  expect(astray.context.violation?.message).toBe(
    `GET /a/text came with Bearer ${tokenOf('a')}, and should with undefined`,
  )
  const missing = await contextOf('shared')
  await fetch(`${missing.context.origins.private}/a/text`, {
    headers: { authorization: `Bearer ${tokenOf('b')}` },
  })
  expect(missing.context.violation?.message).toContain(`and should with Bearer ${tokenOf('a')}`)
})

it('rejects a file of the host that holds what no actor wrote', async () => {
  const { context, level } = await contextOf('shared')
  const role = collaborator('victim', context, level)
  const writeOut = () => {
    for (let seed = 0; ; seed++) {
      const action = role.choose(new Random(seed, 'act'))
      if (action.text === 'mirror a out by >') return action.perform()
    }
  }
  await writeOut()
  await writeOut()
  writeFileSync(join(context.directory, 'victim/direct/a'), 'of another')
  await expect(writeOut()).rejects.toThrow('direct/a holds "of another", and should hold "victim#2"')
  await role.end()
})

it('rejects a drained host that still has a worker', async () => {
  const { context } = await contextOf('shared')
  const host = context.openHost({ isolation: 'shared' })
  const nothing = host.stats()
  const stats = vi.spyOn(host, 'stats').mockReturnValue({ ...nothing, workers: 1 })
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const closing = context.closeHost(host, 0)
  closing.catch(() => undefined) // Told below.
  await vi.waitFor(() => expect(stats).toHaveBeenCalled())
  vi.advanceTimersByTime(61_000)
  await expect(closing).rejects.toThrow(/^of a drained host there is left .*"workers":1.*, 60 s later$/)
})
