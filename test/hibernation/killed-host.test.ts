import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { directoryStore, ShellHost } from '../../src/index.ts'
import { program } from '../fixtures/program.ts'
import { cases } from '../support/tier.ts'
import { Choices } from '../worker/engines/bash/support/random.ts'

/** Has a host use sandboxes, and kills its process some time after the first checkpoint. @returns how far each was stored */
async function useAndDie(path: string, first: number, milliseconds: number): Promise<Map<string, number>> {
  const child = spawn(
    process.execPath,
    [program('test/hibernation/children/busy-host.ts'), path, String(first)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  const closed = once(child, 'close')
  await Promise.race([once(child.stdout, 'data'), closed])
  await new Promise((resolve) => setTimeout(resolve, milliseconds))
  child.kill('SIGKILL')
  expect(await closed).toEqual([null, 'SIGKILL'])
  return new Map(
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split(' '))
      .map(([id = '', number]) => [id, Number(number)]),
  )
}

it('leaves every session as of its last checkpoint, whole, when its process is killed', async () => {
  const path = await mkdtemp(join(tmpdir(), 'sessions-'))
  const choices = new Choices(1)
  try {
    for (let round = 0; round < cases(4); round += 1) {
      const stored = await useAndDie(path, 1000 * round + 1, choices.one([0, 11, 31, 57, 110, 260]))
      expect(stored.size).toBeGreaterThan(0)
      await using host = new ShellHost({ isolation: 'shared', hibernate: { store: directoryStore(path) } })
      for (const [id, least] of stored) {
        const sandbox = await host.getOrOpen(id, { shell: 'bash' })
        const { stdout } = await sandbox.execute('cat f1 f2 f3 f4; echo $x; f')
        const numbers = stdout.trim().split('\n').map(Number)
        expect([numbers.length, new Set(numbers).size]).toEqual([6, 1])
        expect(numbers[0]).toBeGreaterThanOrEqual(least)
        await sandbox.hibernate()
      }
    }
  } finally {
    await rm(path, { recursive: true, force: true })
  }
})

it('stays alive while it stores what is asked for', async () => {
  const path = await mkdtemp(join(tmpdir(), 'sessions-'))
  const { stdout } = await promisify(execFile)(process.execPath, [
    program('test/hibernation/children/at-once.ts'),
    path,
  ]).finally(() => rm(path, { recursive: true, force: true }))
  expect(stdout).toBe('hibernated\nhibernated\nhibernated\ndrained\n')
})
