import { expect, it } from 'vitest'
import { openCheckpoint } from '../../../../../worker/engines/strands/checkpoint/open-checkpoint.ts'
import { PRELUDE } from '../../../../../worker/engines/strands/guards/prelude.ts'
import { LastStatus } from '../../../../../worker/engines/strands/last-status.ts'
import { newShell } from '../../../../mirror-model/direct-session.ts'

/** A session whose commands are followed, with a file. `checkpointAfter` tells how many files its checkpoint has read, and what has changed. */
async function followed() {
  const engine = await newShell()
  await engine.run(PRELUDE)
  let reads = 0
  let runs = 0
  const shell = {
    get runs() {
      return runs
    },
    run: (command: string) => {
      runs += 1
      return engine.run(command)
    },
    readFile: (path: string) => {
      reads += 1
      return engine.readFile(path)
    },
    setEnv: engine.setEnv.bind(engine),
    getEnv: engine.getEnv.bind(engine),
    config: engine.config.bind(engine),
    writeFile: engine.writeFile.bind(engine),
    removeFile: engine.removeFile.bind(engine),
    listFiles: engine.listFiles.bind(engine),
  }
  const settings = { bindDestinations: [], places: new Set<string>(), skipped: [], handsOver: true }
  const session = { shell, status: new LastStatus(shell), mirroring: undefined }
  const checkpoint = openCheckpoint(session, settings)
  const checkpointAfter = async (command: string) => {
    await checkpoint.begins(command)
    await engine.run(command)
    const before = reads
    const parts = await checkpoint.take()
    const keys = parts.flatMap(({ entries }) => entries.map(({ key }) => key))
    return { read: reads - before, changed: keys.filter((key) => /^(file|variable) /.test(key)) }
  }
  await checkpointAfter('echo a > /tmp/a')
  return { checkpoint, checkpointAfter }
}

it('a checkpoint after a command that only reads leaves the files unread, and has the variables', async () => {
  const { checkpointAfter } = await followed()
  expect(await checkpointAfter('cat /tmp/a | sort; x=1')).toEqual({ read: 0, changed: ['variable x'] })
  expect(await checkpointAfter('echo b > /tmp/b')).toMatchObject({ read: 2 })
})

it('a checkpoint after a reading command has what was changed in another way', async () => {
  const { checkpoint, checkpointAfter } = await followed()
  checkpoint.changesFiles()
  expect(await checkpointAfter('cat /tmp/a')).toMatchObject({ read: 1 })
})

it.each([
  ['a function', 'ls() { echo b > /tmp/b; }'],
  ['an alias', "alias ls='echo b > /tmp/b'"],
])('a checkpoint has what the name of a reading command writes as %s', async (_kind, definition) => {
  const { checkpointAfter } = await followed()
  await checkpointAfter(definition)
  const { read, changed } = await checkpointAfter('ls')
  expect([read, changed]).toEqual([2, expect.arrayContaining(['file /tmp/b'])])
})
