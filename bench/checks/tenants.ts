import type { Check, Figure } from '../figure.ts'
import { childOf, type Measured } from './child.ts'

const run = childOf('tenants-child.ts')

/** What one tenant waits while another floods the host. */
export const tenants: Check = {
  name: 'tenants',
  does: 'What a tenant waits while another floods the host, with quotas, against a host without, and against an idle one.',
  run: async (effort) => {
    const samples = String(Math.max(20, Math.ceil(60 * effort)))
    const commands = await run('commands', samples)
    const openings = await run('openings', samples)
    return [...figuresOf('a command', commands), ...figuresOf('an opening', openings)]
  },
}

function figuresOf(what: string, measured: Measured): readonly Figure[] {
  return ['50', '99'].flatMap((share) => {
    const of = (host: string) => measured[`${host}${share}`] ?? Number.NaN
    const ours = of('fair')
    const figure = (name: string, baseline: number, target: Figure['target']): Figure => ({
      name: `${what} beside a flood, p${share} / ${name}`,
      ours,
      baseline,
      unit: 'ms',
      judged: ours / baseline,
      target,
    })
    return [
      figure('without quotas', of('unfair'), { most: 0.5 }),
      figure('without a flood', of('alone'), 'shown'),
    ]
  })
}
