import type { Check, Figure } from '../figure.ts'
import { childOf } from './child.ts'

const run = childOf('jail-sandbox-child.ts')

/** Jails: what a call, an opening and each of many cost. */
export const jailSandbox: Check = {
  name: 'jail-sandbox',
  does: 'What a call and an opening of a jail cost, and what each of 200 on one host holds.',
  run: async (effort) => {
    const calls = await run('calls', String(Math.ceil(1000 * effort)))
    const opening = await run('opening', String(Math.ceil(40 * effort)))
    const memory = await run('memory', '200')
    return [
      figure("jail sandbox: execute('true')", calls['call'], 'ms', { most: 0.5 }),
      figure("jail sandbox: execute('/bin/true')", calls['program'], 'ms', 'shown'),
      figure('jail sandbox: opening with a jail ready', opening['warm'], 'ms', { most: 25 }),
      figure('jail sandbox: opening of another kind', opening['cold'], 'ms', 'shown'),
      figure('jail sandbox: memory of each of 200', memory['each'], 'MiB', 'shown'),
    ]
  },
}

function figure(name: string, ours = Number.NaN, unit: Figure['unit'], target: Figure['target']): Figure {
  return { name, ours, unit, judged: ours, target }
}
