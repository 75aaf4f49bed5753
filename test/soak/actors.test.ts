import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { Actor } from '../../soak/actor.ts'
import { burst } from '../../soak/acts/bursts.ts'
import { read, write } from '../../soak/acts/files.ts'
import { castOf, saboteurOf } from '../../soak/cast.ts'
import type { House } from '../../soak/house.ts'
import { tokenOf } from '../../soak/origin.ts'
import { Random } from '../../soak/random.ts'
import { collaborator } from '../../soak/roles/collaborator.ts'
import { Resident } from '../../soak/roles/resident.ts'
import { World } from '../../soak/world.ts'
import type { Isolation } from '../../src/index.ts'
import { within } from '../faults/helpers.ts'

async function worldOf(level: Isolation): Promise<{ readonly world: World; readonly house: House }> {
  const directory = mkdtempSync(join(tmpdir(), 'soak-'))
  const world = await World.make(1, directory, [level])
  const house = world.houses.get(level)
  if (house === undefined) throw new Error('the world has a house of that level')
  onTestFinished(async () => {
    await within(30, world.close())
    rmSync(directory, { recursive: true, force: true })
  })
  return { world, house }
}

/** An act of this kind on `/tmp/a`, the way that works at every level. */
function on<Stage>(plan: typeof write | typeof read, stage: Stage & Resident): Promise<void> {
  for (let seed = 0; ; seed++) {
    const act = plan(new Random(seed, 'act'))
    if (act.text.endsWith('/tmp/a by call')) return act.play(stage)
  }
}

it.each(['worker', 'process'] as const)(
  'under %s the same seed has each actor choose the same',
  async (level) => {
    const foresee = async (seed: number) => {
      const { world, house } = await worldOf(level)
      const actors = [...castOf(world, house, 10), saboteurOf(world, house, new Set())]
      return actors.map((actor) => [actor.name, actor.foresee(seed, 50)])
    }
    const first = await foresee(5)
    // What is chosen holds no address: the ports of two runs differ.
    expect(await foresee(5)).toEqual(first)
    expect(await foresee(6)).not.toEqual(first)
    expect(new Set(first.map(([, texts]) => JSON.stringify(texts))).size).toBe(first.length)
  },
)

it('what an actor reads that it has not written ends the run, and tells actor, step and steps before', async () => {
  const { world, house } = await worldOf('shared')
  const resident = new Resident('victim', world, house)
  let step = 0
  const choose = () => ({
    text: `act ${step}`,
    play: async () => {
      if (step++ < 2) return on(write, resident)
      await (await resident.life()).call('talk across', (it) => it.writeText('/tmp/a', 'of another'))
      await on(read, resident)
    },
  })
  const actor = new Actor('victim', { choose, end: () => resident.end() }, house.gate)
  await within(30, actor.live(world, 0.001))
  expect(world.violation?.message).toBe(
    'victim, step 2: /tmp/a holds "of another", and should hold "victim#2"',
  )
  const [first, second] = actor.trace
  expect([first, second]).toEqual([
    expect.stringMatching(/^0 at \d+\.\d s: act 0$/),
    expect.stringMatching(/^1 at .* act 1$/),
  ])
  expect(world.stopping.aborted).toBe(true)
  await resident.end()
})

it('calls that take effect in another order end the run', async () => {
  const { world, house } = await worldOf('shared')
  const resident = new Resident('victim', world, house)
  await (await resident.life()).call('lie', (it) => {
    return it.execute(`alias echo='printf "%s\\n" "of another" >> /tmp/log; echo'`)
  })
  const act = burst(new Random(1, 'burst'))
  await expect(act.play(resident)).rejects.toThrow('the order in which calls took effect is ')
  await resident.end()
})

it('a loss without a fault ends the run', async () => {
  const { world, house } = await worldOf('shared')
  const resident = new Resident('victim', world, house)
  const life = await resident.life()
  const command = 'echo $(( (-9223372036854775807-1) / -1 ))'
  await expect(life.call('panic', (it) => it.execute(command))).rejects.toThrow('lost: ENGINE_PANIC')
  expect(world.violation?.message).toBe('victim.1 was lost (ENGINE_PANIC), and no fault explains it')
  await resident.end()
})

it('a sandbox that somebody else has closed ends the run', async () => {
  const { world, house } = await worldOf('shared')
  const resident = new Resident('victim', world, house)
  const life = await resident.life()
  await house.host.get('victim.1')?.close()
  await expect(life.call('use', (it) => it.execute('true'))).rejects.toThrow('closed, and nobody closed it')
  await resident.end()
})

it('a house in which a call is pending is not at rest', async () => {
  const { world, house } = await worldOf('shared')
  const resident = new Resident('victim', world, house)
  const life = await resident.life()
  const call = life.call('pending', (it) => it.execute('sleep 0.2'))
  expect(() => house.checkRest()).toThrow('shared is {"running":1')
  await call
  house.checkRest()
  await resident.end()
})

it('a token that goes astray ends the run, and so does one that is missing', async () => {
  const astray = await worldOf('shared')
  await fetch(`${astray.world.origins.public}/a/text`, {
    headers: { authorization: `Bearer ${tokenOf('a')}` },
  })
  expect(astray.world.violation?.message).toBe(
    `GET /a/text came with Bearer ${tokenOf('a')}, and should with undefined`,
  )
  const missing = await worldOf('shared')
  await fetch(`${missing.world.origins.private}/a/text`, {
    headers: { authorization: `Bearer ${tokenOf('b')}` },
  })
  expect(missing.world.violation?.message).toContain(`and should with Bearer ${tokenOf('a')}`)
})

it('a file of the host that holds what nobody has written there ends the run', async () => {
  const { world, house } = await worldOf('shared')
  const role = collaborator('victim', world, house)
  const writeOut = () => {
    for (let seed = 0; ; seed++) {
      const act = role.choose(new Random(seed, 'act'))
      if (act.text === 'mirror a out by >') return act.play()
    }
  }
  await writeOut()
  await writeOut()
  writeFileSync(join(world.directory, 'victim/direct/a'), 'of another')
  await expect(writeOut()).rejects.toThrow('direct/a holds "of another", and should hold "victim#2"')
  await role.end()
})

it('a drained host that has something left ends the run', async () => {
  const { world } = await worldOf('shared')
  const host = world.openHost({ isolation: 'shared' })
  const nothing = host.stats()
  const stats = vi.spyOn(host, 'stats').mockReturnValue({ ...nothing, workers: 1 })
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const closing = world.closeHost(host, 0)
  closing.catch(() => undefined) // Told below.
  await vi.waitFor(() => expect(stats).toHaveBeenCalled())
  vi.advanceTimersByTime(61_000)
  await expect(closing).rejects.toThrow(/^of a drained host there is left .*"workers":1.*, 60 s later$/)
})
