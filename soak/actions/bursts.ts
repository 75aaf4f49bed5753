import { type ExecutionResult, SandboxLimitError } from '../../src/index.ts'
import { ActionEnded, type Plan } from '../action.ts'
import type { Resident } from '../roles/resident.ts'
import type { TrackedSandbox } from '../tracked-sandbox.ts'
import { demand, demandSame } from '../violation.ts'

/** `maxPending` of a resident's sandbox. */
export const maxPending = 8

/** Makes calls at once. They take effect and settle in call order. */
export const burst: Plan<Resident> = (random) => {
  const size = 2 + random.below(maxPending - 2)
  return {
    text: `burst of ${size} calls`,
    perform: async (resident) => {
      const tracked = await resident.tracked()
      const marks = Array.from({ length: size }, () => resident.mark())
      const order: number[] = []
      await tracked.call('clear', (it) => it.writeText('/tmp/log', ''))
      const ends = await Promise.allSettled(
        marks.map((mark, index) => append(tracked, mark).finally(() => order.push(index))),
      )
      const failed = ends.find((end) => end.status === 'rejected')
      if (failed !== undefined) throw failed.reason
      demandSame(order, [...marks.keys()], 'the order in which calls settled')
      const log = await tracked.call('read', (it) => it.readText('/tmp/log'))
      demandSame(log, marks.map((mark) => `${mark}\n`).join(''), 'the order in which calls took effect')
    },
  }
}

/** Makes more calls at once than `maxPending` allows. The first run, the others reject at once. */
export const flood: Plan<Resident> = (random) => {
  const size = maxPending + 2 + random.below(8)
  return {
    text: `flood of ${size} calls`,
    perform: async (resident) => {
      const tracked = await resident.tracked()
      const ends = await Promise.allSettled(
        Array.from({ length: size }, () => append(tracked, resident.mark())),
      )
      const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
      const over = reasons.find((reason) => !(reason instanceof SandboxLimitError))
      if (over !== undefined) throw over
      const done = ends.findIndex(({ status }) => status === 'rejected')
      demand(
        done >= maxPending && done < size,
        () => `${done} of ${size} calls were done (maxPending: ${maxPending})`,
      )
      demandSame(reasons.length, size - done, 'the number of calls that were refused')
      await tracked.call('clear', (it) => it.writeText('/tmp/log', ''))
    },
  }
}

/** Closes a sandbox while it has pending calls. Each resolves, or rejects with `CLOSED`. */
export const closeUnderCalls: Plan<Resident> = (random) => {
  const size = 1 + random.below(maxPending - 2)
  return {
    text: `close under ${size} calls`,
    perform: async (resident) => {
      const tracked = await resident.tracked()
      const calls = Promise.allSettled(Array.from({ length: size }, () => append(tracked, resident.mark())))
      await resident.end()
      for (const end of await calls) {
        if (end.status === 'rejected' && !(end.reason instanceof ActionEnded)) throw end.reason
      }
    },
  }
}

function append(tracked: TrackedSandbox, mark: string): Promise<ExecutionResult> {
  return tracked.call('append', (it) => it.execute(`echo '${mark}' >> /tmp/log`))
}
