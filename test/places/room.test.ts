import { closeSync, openSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freeDescriptors } from '../../src/places/room/descriptors.ts'
import { Room } from '../../src/places/room/room.ts'
import { freeTasks } from '../../src/places/room/tasks.ts'

/** Room of a system that has so much left. */
function roomOf(left: { descriptors: number; tasks: number }): Room {
  return new Room({ descriptors: () => left.descriptors, tasks: () => left.tasks })
}

const noTasks = { descriptors: 10, tasks: 0 }
const failed = { code: 'WORKER_LOST', cause: expect.objectContaining({ code: 'WORKER_FAILED' }) }

describe('room for an opening', () => {
  it('is refused where too few files can be opened, with what came and what to do', () => {
    const room = roomOf({ descriptors: 9, tasks: 100 })
    expect(() => room.take(noTasks)).toThrow(
      expect.objectContaining({ ...failed, message: expect.stringMatching(/9 .*10 .*EMFILE.*ulimit -n/) }),
    )
  })

  it('is refused where too few threads can be started', () => {
    const room = roomOf({ descriptors: 100, tasks: 5 })
    expect(() => room.take({ descriptors: 10, tasks: 6 })).toThrow(
      expect.objectContaining({ ...failed, message: expect.stringMatching(/5 .*6 .*EAGAIN.*ulimit -u/) }),
    )
  })

  it('is not looked for in threads where none is needed', () => {
    expect(roomOf({ descriptors: 10, tasks: 0 }).take(noTasks)).toBeTypeOf('function')
  })

  it('is counted for those under way, and given back', () => {
    const room = roomOf({ descriptors: 25, tasks: 0 })
    const give = [room.take(noTasks), room.take(noTasks)]
    expect(room.shortage(noTasks)).toMatchObject(failed)
    give[0]?.()
    expect(room.shortage(noTasks)).toBe(undefined)
  })

  it('is awaited while others are under way, and no longer', async () => {
    const left = { descriptors: 15, tasks: 0 }
    const room = roomOf(left)
    const give = room.take(noTasks)
    const second = room.wait(noTasks)
    const third = room.wait(noTasks)
    give()
    ;(await second)()
    const giveThird = await third
    left.descriptors = 5
    const fourth = room.wait(noTasks)
    giveThird()
    await expect(fourth).rejects.toMatchObject(failed)
  })

  it('is not awaited by an opening that is given up', async () => {
    const room = roomOf({ descriptors: 15, tasks: 0 })
    const give = room.take(noTasks)
    const givenUp = new AbortController()
    const waiting = room.wait(noTasks, givenUp.signal)
    givenUp.abort(new Error('given up'))
    give()
    await expect(waiting).rejects.toThrow('given up')
    expect(room.shortage({ descriptors: 15, tasks: 0 })).toBe(undefined)
  })
})

describe.runIf(process.platform === 'linux')('what the system has left', () => {
  it('goes down with each file that is opened', () => {
    const before = freeDescriptors(1)
    const opened = Array.from({ length: 7 }, () => openSync('/dev/null', 'r'))
    onTestFinished(() => {
      for (const descriptor of opened) closeSync(descriptor)
    })
    expect(freeDescriptors(1)).toBe(before - 7)
  })

  it('is some number of threads', () => {
    expect(freeTasks(1)).toBeGreaterThan(0)
    expect(freeTasks(Number.MAX_SAFE_INTEGER)).toBeGreaterThan(0)
  })
})
