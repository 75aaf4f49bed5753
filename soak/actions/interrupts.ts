import { SandboxError } from '../../src/index.ts'
import type { Plan } from '../action.ts'
import type { Resident } from '../roles/resident.ts'
import { demandSame } from '../violation.ts'

/**
 * Interrupts a command by a timeout or a signal. Its file may or may not be written. Under `'reset'` the session may
 * be lost. Under `'keep'` the next call waits for the command, so that the command has ended when the action ends.
 */
export const interrupt: Plan<Resident> = (random) => {
  const [by, after, takes] = [
    random.pick(['timeout', 'signal']),
    random.between(0, 0.2),
    random.between(0, 0.3),
  ]
  const [wait, command] = [after.toFixed(3), takes.toFixed(3)]
  return {
    text: `interrupt a command of ${command} s after ${wait} s by a ${by}`,
    perform: async (resident) => {
      const tracked = await resident.tracked()
      const mark = resident.mark()
      const { context, level } = resident
      // Behind another session's command that takes no step, an interrupted one does not stop in time either: their thread ends.
      const waits = level.isolation === 'shared' && context.shell.goesOn
      const loss = context.losses.announce({
        reasons: waits ? ['RESET', 'DEADLINE_IGNORED', 'WORKER_EXITED'] : ['RESET'],
        mayHit: (id) => id === tracked.id || (waits && resident.isNeighbour(id)),
      })
      resident.model.maySet('/tmp/a', mark)
      try {
        try {
          const limits =
            by === 'timeout'
              ? { timeout: Number(wait) + 0.001 }
              : { signal: AbortSignal.timeout(Number(wait) * 1000) }
          await tracked.call('interrupted', (it) => {
            return it.execute(`sleep ${command}; printf %s '${mark}' > /tmp/a`, limits)
          })
          resident.model.set('/tmp/a', mark)
        } catch (error) {
          if (!(error instanceof SandboxError)) throw error
          demandSame(error.code, by === 'timeout' ? 'TIMEOUT' : 'ABORTED', 'the code of an interrupted call')
        }
        if (!waits) loss.over()
        await tracked.call('wait for it', (it) => it.execute('true'))
      } finally {
        loss.over()
      }
    },
  }
}
