import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { directoryStore } from '../../src/index.ts'
import { contentOf } from '../../src/snapshot/snapshot.ts'
import { program } from '../fixtures/program.ts'
import { cases } from '../support/tier.ts'
import { Choices } from '../worker/engines/bash/support/random.ts'

/** Has a process put into a store, and kills it some time after its first round. */
async function writeAndDie(path: string, name: string, milliseconds: number): Promise<void> {
  const child = spawn(process.execPath, [program('test/snapshot/children/writer.ts'), path, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data'), exit])
  await new Promise((resolve) => setTimeout(resolve, milliseconds))
  child.kill('SIGKILL')
  expect(await exit).toEqual([null, 'SIGKILL'])
}

it('has whole snapshots after processes that shared it were killed at any moment', async () => {
  const path = await mkdtemp(join(tmpdir(), 'snapshots-'))
  const store = directoryStore(path)
  const choices = new Choices(1)
  try {
    for (let round = 0; round < cases(6); round += 1) {
      const names = ['a', 'b']
      await Promise.all(
        names.map((name) => writeAndDie(path, name, choices.one([0, 1, 3, 7, 12, 18, 25, 31]))),
      )
      for (const id of ['of all', ...names]) {
        const snapshot = await store.get(id)
        if (snapshot === undefined && id === 'of all') continue
        if (snapshot === undefined) throw new Error(`${id} is missing.`)
        const number = snapshot.createdAt.getTime()
        const texts = [...contentOf(snapshot).facts.contents.values()].map((bytes) =>
          Buffer.from(bytes).toString(),
        )
        expect(texts.sort()).toEqual([...Array.from({ length: 5 }, (_, at) => `${at} ${number}`), 'in all'])
      }
      expect((await store.list()).length).toBeGreaterThanOrEqual(2)
    }
    await store.collect()
    expect((await readdir(path)).sort()).toEqual(['contents', 'snapshots', 'temporary', 'trash'])
  } finally {
    await rm(path, { recursive: true, force: true })
  }
})
