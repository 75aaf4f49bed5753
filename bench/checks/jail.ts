import type { Check } from '../figure.ts'
import { childOf } from './child.ts'

const run = childOf('jail-child.ts')

/** What a jail costs a cell. Needs bubblewrap. */
export const jail: Check = {
  name: 'jail',
  does: 'What a jail costs a cell: with hardening "require" and with "none".',
  run: async (effort) => {
    const open = await run('open', String(Math.ceil(15 * effort)))
    const call = await run('call', String(Math.ceil(1000 * effort)))
    const binds = await run('binds', String(Math.ceil(16 * effort)))
    const value = (measured: Readonly<Record<string, number>>, name: string) => measured[name] ?? Number.NaN
    return [
      {
        name: 'open, new cell, jail - none',
        ours: value(open, 'jail'),
        baseline: value(open, 'none'),
        unit: 'ms',
        judged: value(open, 'jail') - value(open, 'none'),
        target: { most: 40 },
      },
      {
        name: 'memory of a cell with a sandbox, jail - none',
        ours: value(open, 'jailMemory'),
        baseline: value(open, 'noneMemory'),
        unit: 'MiB',
        judged: value(open, 'jailMemory') - value(open, 'noneMemory'),
        target: { most: 2 },
      },
      {
        name: 'one call, jail / none',
        ours: value(call, 'jail'),
        baseline: value(call, 'none'),
        unit: 'ms',
        judged: value(call, 'jail') / value(call, 'none'),
        target: { most: 1.1 },
      },
      {
        name: 'open with a bind of its own, jail / none',
        ours: value(binds, 'require'),
        baseline: value(binds, 'none'),
        unit: 'ms',
        judged: value(binds, 'require') / value(binds, 'none'),
        target: 'shown',
      },
      {
        name: 'memory of a sandbox with a bind of its own, jail / none',
        ours: value(binds, 'requireMemory'),
        baseline: value(binds, 'noneMemory'),
        unit: 'MiB',
        judged: value(binds, 'requireMemory') / value(binds, 'noneMemory'),
        target: 'shown',
      },
    ]
  },
}
