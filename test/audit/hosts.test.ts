import { expect, it } from 'vitest'
import { auditLog } from '../../src/index.ts'
import { sharedHost } from '../host/helpers.ts'
import { linesIn } from './support.ts'

it('has the events of several hosts, each before what its listeners make of it', async () => {
  const pieces: string[] = []
  await using audit = auditLog({ write: (lines) => pieces.push(lines), events: 'all' })
  const hosts = [sharedHost({ audit }), sharedHost({ audit })] as const
  for (const [index, host] of hosts.entries()) {
    const sandbox = await host.open({ shell: 'bash' }, { id: `agent-${index}` })
    sandbox.on('command', ({ command }) => {
      if (command === 'echo outer') sandbox.sync.execute('echo inner')
    })
    await sandbox.execute('echo outer')
    await sandbox.close()
    await host.close()
  }
  const told = linesIn(pieces.join(''))
  for (const id of ['agent-0', 'agent-1']) {
    const own = told.filter((line) => line['id'] === id)
    expect(own.map(({ sequence }) => sequence)).toEqual(own.map((_, index) => index + 1))
    expect(own.flatMap(({ command }) => command ?? [])).toEqual(['echo outer', 'echo inner'])
    expect(own.at(-1)).toMatchObject({ kind: 'closed', reason: 'closed' })
  }
})
