import { SandboxError } from '../../src/index.ts'
import type { Plan } from '../act.ts'
import type { Resident } from '../roles/resident.ts'
import { demandSame } from '../violation.ts'

/**
 * Interrupts a command, by a timeout or a signal. Its file was written or was not. Under `'reset'` that may cost the
 * session; under `'keep'` the next call waits for the command, so that nothing is under way when the act is over.
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
    play: async (resident) => {
      const life = await resident.life()
      const mark = resident.mark()
      const reset = resident.world.losses.strike({ reasons: ['RESET'], mayHit: (id) => id === life.id })
      resident.model.maySet('/tmp/a', mark)
      try {
        const limits =
          by === 'timeout'
            ? { timeout: Number(wait) + 0.001 }
            : { signal: AbortSignal.timeout(Number(wait) * 1000) }
        await life.call('interrupted', (it) => {
          return it.execute(`sleep ${command}; printf %s '${mark}' > /tmp/a`, limits)
        })
        resident.model.set('/tmp/a', mark)
      } catch (error) {
        if (!(error instanceof SandboxError)) throw error
        demandSame(error.code, by === 'timeout' ? 'TIMEOUT' : 'ABORTED', 'the code of an interrupted call')
      } finally {
        reset.over()
      }
      await life.call('wait for it', (it) => it.execute('true'))
    },
  }
}
