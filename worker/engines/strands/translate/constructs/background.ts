import { refuse } from '../refusal.ts'
import type { Rule } from '../work.ts'

/** A background job has files of its own for what it runs in steps. */
export const background: Rule<'Statement'> = (node, { script }, place) => {
  if (node.background !== true || !script.text(node).includes('__ssr_frame_')) return
  for (let at = place.outer; at !== undefined; at = at.outer) {
    if (at.node.type === 'Statement' && at.node.background === true)
      refuse('a background job of a background job', 'wait for one before the next')
  }
  script.insert(node.pos, '__ssr_job="${__ssr_job-}j"; ')
}
