import { describe, expect, it } from 'vitest'
import { runs, until } from '../../faults/basics.ts'
import { isFull } from '../../support/tier.ts'
import { startScript } from './helpers.ts'

/** How the process of a host ends, and what is seen of it. */
const ways = [
  { way: 'SIGKILL', code: null, signal: 'SIGKILL' },
  { way: 'SIGTERM', code: null, signal: 'SIGTERM' },
  { way: 'process.exit', code: 3, signal: null },
  { way: 'an uncaught exception', code: 1, signal: null },
]

const states = [
  { state: 'has just been started', cells: 1 },
  { state: 'is idle', cells: 2 },
  { state: 'runs what never ends', cells: 2 },
  { state: 'has more to say than the pipe holds', cells: 2 },
]

/** Each way to end with each state; in the default tier each once. */
const waysWith = (index: number) => (isFull ? ways : ways.slice(index, index + 1))

describe.each(states.map((one, index) => ({ ...one, index })))(
  'a cell that $state',
  ({ state, cells, index }) => {
    it.each(waysWith(index))('ends as soon as its host is gone: $way', async ({ way, code, signal }) => {
      const end = await startScript('parent-death', [state, way]).end
      expect({ code: end.code, signal: end.signal }).toEqual({ code, signal })
      expect(end.stderr).toMatch(way === 'an uncaught exception' ? /Error: a bug of the host/ : /^$/)
      const pids: unknown = JSON.parse(end.stdout)
      if (!Array.isArray(pids)) throw new TypeError('no list of cells')
      expect(pids.length).toBe(cells)
      await until(() => !pids.some((pid) => runs(Number(pid))))
    })
  },
)
