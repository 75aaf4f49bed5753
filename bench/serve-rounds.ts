import { parentPort } from 'node:worker_threads'
import { Cannot } from './contenders/contender.ts'
import type { Samples } from './scenario.ts'
import type { RoundReply } from './stage.ts'

type Rounds = AsyncGenerator<Samples, void, undefined>

/** Serves a `Stage`: replies to each 'round' with the samples of the next round, cleans up and exits on 'end'. */
export function serveRounds(rounds: Rounds): void {
  const answer = async (message: unknown) => {
    if (message === 'round') return reply(await nextRound(rounds))
    await rounds.return()
    process.exit()
  }
  if (parentPort !== null) parentPort.on('message', answer)
  else process.on('message', answer).once('disconnect', () => process.exit())
}

async function nextRound(rounds: Rounds): Promise<RoundReply> {
  try {
    const { value } = await rounds.next()
    return value === undefined ? { failed: 'no more rounds' } : { samples: value }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return error instanceof Cannot ? { cannot: message } : { failed: message }
  }
}

function reply(message: RoundReply): void {
  if (parentPort === null) process.send?.(message)
  else parentPort.postMessage(message)
}
