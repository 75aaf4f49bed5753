import { BundledChildren } from '../bundle.ts'
import type { Check, Figure } from '../figure.ts'
import { type Measured, measuredBy } from './child.ts'

/** Sessions of a cluster: what their calls take beside those of a service, and what a node takes. */
export const cluster: Check = {
  name: 'cluster',
  does: "execute('true') in a session of a cluster beside the same through a service, one client and 64, and what Redis has to do for it; calls that change a file, openings and memory of a node.",
  run: async (effort) => {
    using children = await BundledChildren.build(['cluster-child'])
    const figures: Figure[] = []
    for (const shell of ['strands', 'bash']) {
      const file = `${children.directory}/cluster-child.js`
      figures.push(...figuresOf(shell, await measuredBy(file, 'measure', shell, String(effort))))
    }
    return figures
  },
}

function figuresOf(shell: string, measured: Measured): readonly Figure[] {
  const of = (key: string) => measured[key] ?? Number.NaN
  const beside = (name: string, key: string, unit: Figure['unit'], target: Figure['target']): Figure => ({
    name: `${shell}: ${name}`,
    ours: of(key),
    baseline: of(`${key}Baseline`),
    unit,
    judged: of(`${key}Ratio`),
    target,
  })
  const own = (name: string, key: string, unit: Figure['unit'], target: Figure['target']): Figure => ({
    name: `${shell}: ${name}`,
    ours: of(key),
    unit,
    judged: of(key),
    target,
  })
  return [
    beside('one client / the same of a service', 'one', 'ms', { most: 1.15 }),
    own('one client, p99', 'oneP99', 'ms', 'shown'),
    own('one client of a service, p99', 'oneBaselineP99', 'ms', 'shown'),
    beside('64 clients / the same of a service', 'many', 'calls/s', { least: 0.87 }),
    beside('processor time of a call, 64 clients / service', 'processor', 'ms', { most: 1.15 }),
    own('commands of Redis a call, beside leases', 'commands', 'commands', { most: 0.01 }),
    beside("a call that changes a file / checkpoint: 'never'", 'change', 'ms', 'shown'),
    own('a call that changes a file, p99', 'changeP99', 'ms', 'shown'),
    own('64 clients that change a file', 'changesPerSecond', 'calls/s', 'shown'),
    own('processor time of such a call', 'changesProcessor', 'ms', 'shown'),
    own('sessions opened, 16 at once', 'opened', 'sandboxes/s', 'shown'),
    own('processor time of one opening', 'openedProcessor', 'ms', 'shown'),
    own('sessions taken up from a node that left', 'takenUp', 'sandboxes/s', 'shown'),
    own('processor time of a session taken up', 'takenUpProcessor', 'ms', 'shown'),
    own('RSS of a node without sandboxes', 'idle', 'MiB', 'shown'),
    own('RSS of an open session', 'memory', 'MiB', 'shown'),
    own('stored of a session with one small file', 'stored', 'KiB', 'shown'),
  ]
}
