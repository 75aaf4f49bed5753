import type { Check, Figure } from '../figure.ts'
import { childOf, type Measured } from './child.ts'

const run = childOf('bash-child.ts')

function measure(name: string, count: number): Promise<Measured> {
  return run(name, String(Math.ceil(count)))
}

/** The bash engine: against just-bash on its caller's thread, and what it holds. */
export const bash: Check = {
  name: 'bash',
  does: "What a call of a bash sandbox costs beside just-bash on its caller's thread, and what a sandbox holds.",
  run: async (effort) => {
    const call = await measure('call', 300 * effort)
    const agent = await measure('agent', 3 * effort)
    const load = await measure('load', 32)
    const memory = await measure('memory', Math.max(20, 200 * effort))
    const warm = await measure('warm', 30 * effort)
    const snapshots = await measure('snapshots', 30 * effort)
    const dropped = await measure('dropped', 200)
    const loops = await measure('loops', 1)
    const python = await measure('python', 1)
    const neighbour = await measure('neighbour', 3)
    return [
      ratio("bash: execute('true') / just-bash", call, 'bare', { most: 1.5 }),
      ratio('bash: the same with functions and arrays', call, 'full', { most: 3 }),
      ratio('bash: the same, just-bash without defence', call, 'undefended', 'shown'),
      ratio('bash: a function that reads an array / just-bash', call, 'used', 'shown'),
      ratio("bash: a coding agent's session / just-bash", agent, 'ratio', { most: 1.15 }),
      ...Object.entries(load).map(([level, p99]) =>
        plain(`bash: 32 compute (${level}): event-loop delay, p99`, p99, 'ms', { most: 10 }),
      ),
      plain('bash: RSS of a worker with its first sandbox', memory['worker'], 'MiB', { most: 32 }),
      plain('bash: RSS of each further shared sandbox', memory['each'], 'MiB', { most: 0.5 }),
      plain('bash: worker: opening on a warm place', warm['worker'], 'ms', { most: 3 }),
      plain('bash: shared: opening on a warm place', warm['shared'], 'ms', { most: 3 }),
      plain('bash: shared: fork of 1,000 files', snapshots['fork shared'], 'ms', { most: 20 }),
      plain('bash: worker: fork of 1,000 files', snapshots['fork worker'], 'ms', { most: 20 }),
      plain('bash: process: fork of 1,000 files', snapshots['fork process'], 'ms', 'shown'),
      plain('bash: snapshot of 20 files into a directory', snapshots['sleep'], 'ms', 'shown'),
      plain('bash: 20 files out of a directory into an open sandbox', snapshots['wake'], 'ms', { most: 15 }),
      plain('bash: workers while 200 are dropped', dropped['most'], 'workers', { most: 24 }),
      plain('bash: 100,000 turns of a shell loop', seconds(loops['shell']), 'ms', 'shown'),
      plain('bash: 1,000,000 turns of an awk loop', seconds(loops['awk']), 'ms', 'shown'),
      plain('bash: an endless awk loop, after its deadline', loops['late'], 'ms', { most: 100 }),
      plain("bash: python's first answer", seconds(python['first']), 'ms', 'shown'),
      plain("bash: python's next answer", seconds(python['next']), 'ms', 'shown'),
      plain('bash: memory of python', python['memory'], 'MiB', 'shown'),
      ...Object.entries(neighbour).map(([name, value]) =>
        plain(`bash: 'true' of a neighbour, ${name}`, value, 'ms', 'shown'),
      ),
    ]
  },
}

const seconds = (value = Number.NaN) => value * 1000

function plain(name: string, ours = Number.NaN, unit: Figure['unit'], target: Figure['target']): Figure {
  return { name, ours, unit, judged: ours, target }
}

function ratio(
  name: string,
  measured: Readonly<Record<string, number>>,
  key: string,
  target: Figure['target'],
): Figure {
  const { ours = Number.NaN } = measured
  const judged = measured[key] ?? Number.NaN
  return { name, ours, baseline: ours / judged, unit: 'ms', judged, target }
}
