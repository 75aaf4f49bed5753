import type { Check, Figure } from '../figure.ts'
import { childOf } from './child.ts'

const measure = childOf('hibernate-child.ts')

/** Named sandboxes that are stored while nobody uses them. */
export const hibernate: Check = {
  name: 'hibernate',
  does: 'Many named sandboxes of a host, of which 200 are open: how fast one wakes, and what memory all have.',
  run: async (effort) => {
    const figures: Figure[] = []
    for (const shell of ['bash', 'strands']) {
      const many = await measure('many', shell, String(Math.max(400, Math.ceil(10_000 * effort))))
      const cycles = await measure('cycles', shell, String(Math.max(200, Math.ceil(500 * effort) * 10)))
      figures.push(
        most(`${shell}: a call that wakes a sandbox of 20 files`, many['wake'], 'ms', 15),
        most(`${shell}: RSS with 10,000 named sandboxes`, many['rss'], 'MiB', 1024),
        most(`${shell}: RSS after 5,000 times / after 500`, cycles['ratio'], 'MiB', 1.1),
      )
    }
    return figures
  },
}

function most(name: string, ours = Number.NaN, unit: Figure['unit'], limit: number): Figure {
  return { name, ours, unit, judged: ours, target: { most: limit } }
}
