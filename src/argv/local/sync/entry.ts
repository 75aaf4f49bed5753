import { workerData } from 'node:worker_threads'
import { runProcess } from '../run-process.ts'
import type { SyncReply, SyncRequest, SyncThreadData } from './messages.ts'

/** The thread of `execSync`: runs processes while the thread that asked for them is blocked. */
const { port, posted }: SyncThreadData = workerData

port.on('message', async (spec: SyncRequest) => {
  port.postMessage(await answer(spec))
  Atomics.add(posted, 0, 1)
  Atomics.notify(posted, 0)
})

async function answer(spec: SyncRequest): Promise<SyncReply> {
  try {
    return { ok: true, end: await runProcess(spec) }
  } catch (error) {
    return { ok: false, message: String(error) }
  }
}
