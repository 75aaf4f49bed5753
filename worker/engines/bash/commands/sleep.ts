import { setTimeout as wait } from 'node:timers/promises'
import { LONGEST, millisecondsOf } from '../text/duration.ts'
import { type Answer, bytes, failed, type OwnCommand } from './command.ts'

/** `sleep`: what was started with `&` runs meanwhile. It ends early where what it is part of must end, which keeps what that has printed. */
export const sleep: OwnCommand = {
  name: 'sleep',
  async run(args, _context, { current, stop }): Promise<Answer> {
    if (args.length === 0) return failed('sleep', 'missing operand')
    let total = 0
    for (const arg of args) {
      const milliseconds = millisecondsOf(arg)
      if (milliseconds === undefined) return failed('sleep', `invalid time interval '${arg}'`)
      total += milliseconds
    }
    const { stdout, stderr } = (await current?.jobs.runPending(
      current.jobs.pending.filter(({ slow }) => slow !== 'sleep'),
    )) ?? { stdout: '', stderr: '' }
    const signal = stop.waiting
    // An abort is no failure: the next statement sees that it is to end.
    if (!stop.ending) await wait(Math.min(total, LONGEST), undefined, { signal }).catch(() => undefined)
    return { ...bytes(stdout), stderr }
  },
}
