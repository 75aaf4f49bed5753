import { closeSync, openSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freeAddressSpace } from '../../src/places/room/address-space.ts'
import { freeDescriptors } from '../../src/places/room/descriptors.ts'
import { Room } from '../../src/places/room/room.ts'
import { freeTasks } from '../../src/places/room/tasks.ts'

/** Room of a system that has so much left. */
function roomOf(left: { descriptors: number; tasks: number; addressSpace?: number }): Room {
  return new Room({
    descriptors: () => left.descriptors,
    tasks: () => left.tasks,
    addressSpace: () => left.addressSpace ?? Number.POSITIVE_INFINITY,
  })
}

const noTasks = { descriptors: 10, tasks: 0, addressSpace: 0 }
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
    expect(() => room.take({ ...noTasks, tasks: 6 })).toThrow(
      expect.objectContaining({ ...failed, message: expect.stringMatching(/5 .*6 .*EAGAIN.*ulimit -u/) }),
    )
  })

  it('is refused where too little address space can be reserved', () => {
    const room = roomOf({ descriptors: 100, tasks: 100, addressSpace: 2 ** 30 - 1 })
    expect(() => room.take({ ...noTasks, addressSpace: 2 ** 30 })).toThrow(
      expect.objectContaining({
        ...failed,
        message: expect.stringMatching(/1023 MiB .*1024 MiB.*ENOMEM.*ulimit -v/),
      }),
    )
  })

  it('is looked for in nothing of which none is needed', () => {
    expect(roomOf({ descriptors: 10, tasks: 0, addressSpace: 0 }).take(noTasks)).toBeTypeOf('function')
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
    const second = room.wait(() => noTasks)
    const third = room.wait(() => noTasks)
    give()
    ;(await second)()
    const giveThird = await third
    left.descriptors = 5
    const fourth = room.wait(() => noTasks)
    giveThird()
    await expect(fourth).rejects.toMatchObject(failed)
  })

  it('is looked for again when it is the turn of who waits: less may be needed', async () => {
    const room = roomOf({ descriptors: 15, tasks: 0 })
    const needs = { ...noTasks }
    const give = room.take(noTasks)
    const waiting = room.wait(() => needs)
    room.take({ ...noTasks, descriptors: 5 })
    give()
    needs.descriptors = 4
    expect(await waiting).toBeTypeOf('function')
  })

  it('is not awaited by an opening that is given up', async () => {
    const room = roomOf({ descriptors: 15, tasks: 0 })
    const give = room.take(noTasks)
    const givenUp = new AbortController()
    const waiting = room.wait(() => noTasks, { signal: givenUp.signal })
    givenUp.abort(new Error('given up'))
    give()
    await expect(waiting).rejects.toThrow('given up')
    expect(room.shortage({ ...noTasks, descriptors: 15 })).toBe(undefined)
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

  it('is some address space', () => {
    expect(freeAddressSpace(1)).toBeGreaterThan(0)
  })

  it('is some number of threads', () => {
    expect(freeTasks(1)).toBeGreaterThan(0)
    expect(freeTasks(Number.MAX_SAFE_INTEGER)).toBeGreaterThan(0)
  })
})
