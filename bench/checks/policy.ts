import { decide } from '../../src/policy/decide.ts'
import { allowCommands } from '../../src/policy/ready-made/allow-commands.ts'
import { denyCommands } from '../../src/policy/ready-made/deny-commands.ts'
import { readOnly } from '../../src/policy/ready-made/read-only.ts'
import type { Policy, PolicyCall } from '../../src/policy/types.ts'
import type { Check, Figure } from '../figure.ts'
import { median } from '../statistics.ts'

/** Decisions that are timed together. */
const BATCH = 200

const policies = [
  allowCommands(['cat', 'grep', 'sort', 'find', 'xargs', 'wc', 'head']),
  denyCommands(['rm']),
  readOnly(),
]

/** A command of 200 bytes. */
function command(number: number): string {
  const start = `cd /work && grep -rn "TODO ${String(number).padStart(6, '0')}" src | sort -u | head -n 20; `
  const rest = 'for f in a b c; do cat "$f"; done; find . -name "*.ts" -exec wc -l {} + | xargs echo '
  return `${start}${rest}`.padEnd(200, '#')
}

/** What a policy adds to a command of 200 bytes. */
export const policy: Check = {
  name: 'policy',
  does: 'What three ready-made policies add to a command of 200 bytes, on the thread of the caller.',
  run: async (effort) => {
    const rounds = Math.ceil(100 * effort)
    const plain: Policy = () => 'allow'
    return [
      most('policy: 200 bytes, read before', await time(policies, rounds, () => command(1)), 0.06),
      most('policy: 200 bytes, new', await time(policies, rounds, command), 'shown'),
      most('policy: a function that allows', await time([plain], rounds, () => command(1)), 'shown'),
    ]
  },
}

/** Milliseconds of a decision. */
async function time(
  asked: readonly Policy[],
  rounds: number,
  text: (number: number) => string,
): Promise<number> {
  const sandbox = { id: undefined, labels: {}, shell: 'bash', generation: 1 } as const
  const times: number[] = []
  let number = 0
  for (let round = 0; round < rounds + 5; round++) {
    const calls: PolicyCall[] = Array.from({ length: BATCH }, () => ({
      sandbox,
      kind: 'command',
      command: text(number++),
      cwd: undefined,
    }))
    const start = performance.now()
    for (const call of calls)
      if (!(await decide(asked, call)).allow) throw new Error('A measured command was denied.')
    if (round >= 5) times.push((performance.now() - start) / BATCH)
  }
  return median(times)
}

function most(name: string, ours: number, limit: number | 'shown'): Figure {
  return { name, ours, unit: 'ms', judged: ours, target: limit === 'shown' ? limit : { most: limit } }
}
