import { describe, expect, it } from 'vitest'
import { until } from '../../faults/helpers.ts'
import { byTier } from '../../support/tier.ts'
import { isThere } from './cell-pids.ts'
import { faultyCell, startScript } from './helpers.ts'

/** What a host does before: one whose cells were killed has had calls, too. */
const lives = [
  'a call',
  'cells that were killed',
  'a command that never ends',
  'an opening under way',
  'a sandbox that waits',
  'an opening that has just begun',
  'nothing',
]

describe('a closed host of cells', () => {
  it.each(byTier({ default: lives.slice(1, 3), full: lives }))(
    'leaves no process, file, timer or listener, after %s',
    async (life) => {
      const { code, signal, stdout, stderr } = await startScript('leftovers', ['closed', life], 60).end
      expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' })
      expect(JSON.parse(stdout)).toEqual({ cells: 0, resources: [], files: 0, listeners: 0 })
    },
  )
})

describe('a call to a cell that closes its pipe and does not end', () => {
  it.each(['before', 'after'])(
    'made %s it has, keeps the process alive until it is told of the loss',
    async (when) => {
      const cell = faultyCell("import('node:fs').then(({ closeSync }) => closeSync(3))")
      expect(await startScript('closed-pipe', [cell.href, when]).end).toEqual({
        code: 0,
        signal: null,
        stdout: 'WORKER_LOST\n',
        stderr: '',
      })
    },
  )
})

describe('a script that closes nothing', () => {
  it.each([...byTier({ default: lives.slice(1, 2), full: lives }), 'a warm host'])(
    'ends by itself, after %s, and its cells with it',
    async (life) => {
      const { code, signal, stdout, stderr } = await startScript('leftovers', ['open', life], 60).end
      expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' })
      const cells: unknown = JSON.parse(stdout)
      if (!Array.isArray(cells)) throw new TypeError('no list of cells')
      if (!life.startsWith('an opening') && life !== 'nothing') expect(cells.length).toBeGreaterThan(0)
      await until(() => !cells.some((pid) => isThere(Number(pid))))
    },
  )
})
