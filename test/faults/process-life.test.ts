import { describe, expect, it } from 'vitest'
import { isFull } from '../support/tier.ts'
import { endedWell, runChild } from './run-child.ts'

describe.concurrent('a process stays alive for a', () => {
  it.each([
    ['pending call', '"done"'],
    ['pending file operation', 'settled'],
    ['pending open', 'settled'],
    ['pending slow open', 'settled'],
    ['pending close', 'settled'],
    ['pending call of a worker that exits', 'WORKER_LOST WORKER_EXITED'],
    ['pending call that ignores its deadline', 'WORKER_LOST DEADLINE_IGNORED'],
    ['pending call whose per-call timeout passes', 'TIMEOUT '],
  ])('%s, and ends once it has settled', async (scene, line) => {
    expect(await runChild('process-life', [scene], 60)).toEqual(endedWell(line))
  })

  it('pending call of a worker that closes its port', async () => {
    const end = await runChild('process-life', ['pending call of a worker that closes its port'], 60)
    expect(end).toEqual({ ...endedWell(), stdout: expect.stringMatching(/^WORKER_LOST /) })
  })
})

describe.concurrent('a process ends by itself with', () => {
  const scenes = [
    'open sandboxes',
    'open sandbox of the default host',
    'warm worker',
    'abandoned command',
    'abandoned command that never ends',
    'abandoned streaming call',
    'aborted opening',
    'lost session',
    'closed under a call',
  ]

  // In the default tier all in one process, whose start takes more than they do: any of them would keep it alive.
  it.each(isFull ? scenes.map((scene) => [scene]) : [scenes])('%s', async (...all) => {
    expect(await runChild('process-life', all, 60)).toEqual(endedWell(...all.map(() => 'end')))
  })
})
