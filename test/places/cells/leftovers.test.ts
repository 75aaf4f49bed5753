import { describe, expect, it } from 'vitest'
import { until } from '../../faults/helpers.ts'
import { isThere, startScript } from './helpers.ts'

const lives = [
  'a call',
  'cells that were killed',
  'a command that never ends',
  'a sandbox that waits',
  'an opening under way',
  'an opening that has just begun',
  'nothing',
]

describe('a closed host of cells', () => {
  it.each(lives)('leaves no process, file, timer or listener, after %s', async (life) => {
    const { code, signal, stdout, stderr } = await startScript('leftovers', ['closed', life]).end
    expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({ cells: 0, resources: [], files: 0, listeners: 0 })
  })
})

describe('a script that closes nothing', () => {
  it.each([...lives, 'a warm host'])('ends by itself, after %s, and its cells with it', async (life) => {
    const { code, signal, stdout, stderr } = await startScript('leftovers', ['open', life], 20).end
    expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' })
    const cells: unknown = JSON.parse(stdout)
    if (!Array.isArray(cells)) throw new TypeError('no list of cells')
    if (!life.startsWith('an opening') && life !== 'nothing') expect(cells.length).toBeGreaterThan(0)
    await until(() => !cells.some((pid) => isThere(Number(pid))), 2)
  })
})
