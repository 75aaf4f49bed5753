import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ProcessMemory } from '../../../src/places/cells/process-memory.ts'

test.runIf(process.platform === 'linux')(
  'a process is looked at by one open file, until it has ended',
  async () => {
    const child = spawn('sleep', ['600'])
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child, 'spawn')
    const pid = child.pid ?? 0
    const memory = new ProcessMemory()
    onTestFinished(() => memory.close())
    // A program that has just begun has nearly no memory.
    await vi.waitFor(() => expect(memory.look(pid)).toBeGreaterThan(100_000), { timeout: 60_000 })
    expect(memory.look(pid)).toBeGreaterThan(100_000)
    expect(filesOf(pid)).toBe(1)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(memory.look(pid)).toBeUndefined()
    memory.close()
    memory.close()
    expect([memory.look(process.pid), filesOf(pid)]).toEqual([undefined, 0])
  },
)

/** How many files of this process are that of another one's status. */
function filesOf(pid: number): number {
  return readdirSync('/proc/self/fd').filter((file) => targetOf(file).startsWith(`/proc/${pid}/status`))
    .length
}

function targetOf(file: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${file}`)
  } catch {
    return '' // It was that of the listing.
  }
}
