import { type ExecutionResult, SandboxLimitError } from '../../src/index.ts'
import { ActOver, type Plan } from '../act.ts'
import type { Life } from '../life.ts'
import type { Resident } from '../roles/resident.ts'
import { demand, demandSame } from '../violation.ts'

/** Calls that may wait in a resident's sandbox. */
export const maxPending = 8

/** Makes calls at once: they take effect, and settle, in the order in which they were made. */
export const burst: Plan<Resident> = (random) => {
  const size = 2 + random.below(maxPending - 2)
  return {
    text: `burst of ${size} calls`,
    play: async (resident) => {
      const life = await resident.life()
      const marks = Array.from({ length: size }, () => resident.mark())
      const order: number[] = []
      await life.call('clear', (it) => it.writeText('/tmp/log', ''))
      const ends = await Promise.allSettled(
        marks.map((mark, index) => append(life, mark).finally(() => order.push(index))),
      )
      const failed = ends.find((end) => end.status === 'rejected')
      if (failed !== undefined) throw failed.reason
      demandSame(order, [...marks.keys()], 'the order in which calls settled')
      const log = await life.call('read', (it) => it.readText('/tmp/log'))
      demandSame(log, marks.map((mark) => `${mark}\n`).join(''), 'the order in which calls took effect')
    },
  }
}

/** Makes more calls at once than may wait: the first are done, the others refused at once. */
export const flood: Plan<Resident> = (random) => {
  const size = maxPending + 2 + random.below(8)
  return {
    text: `flood of ${size} calls`,
    play: async (resident) => {
      const life = await resident.life()
      const ends = await Promise.allSettled(Array.from({ length: size }, () => append(life, resident.mark())))
      const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
      const over = reasons.find((reason) => !(reason instanceof SandboxLimitError))
      if (over !== undefined) throw over
      const done = ends.findIndex(({ status }) => status === 'rejected')
      demand(
        done >= maxPending && done < size,
        () => `${done} of ${size} calls were done (maxPending: ${maxPending})`,
      )
      demandSame(reasons.length, size - done, 'the number of calls that were refused')
      await life.call('clear', (it) => it.writeText('/tmp/log', ''))
    },
  }
}

/** Closes a sandbox under its calls: each is done, or rejects with `CLOSED`. */
export const closeUnderCalls: Plan<Resident> = (random) => {
  const size = 1 + random.below(maxPending - 2)
  return {
    text: `close under ${size} calls`,
    play: async (resident) => {
      const life = await resident.life()
      const calls = Promise.allSettled(Array.from({ length: size }, () => append(life, resident.mark())))
      await resident.end()
      for (const end of await calls) {
        if (end.status === 'rejected' && !(end.reason instanceof ActOver)) throw end.reason
      }
    },
  }
}

function append(life: Life, mark: string): Promise<ExecutionResult> {
  return life.call('append', (it) => it.execute(`echo '${mark}' >> /tmp/log`))
}
