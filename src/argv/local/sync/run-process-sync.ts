import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { ProtocolError, UnsupportedError } from '../../../sandbox/errors.ts'
import type { ProcessEnd, ProcessSpec } from '../run-process.ts'
import type { SyncReply } from './messages.ts'

/** Where the built entry of the thread is in this package. */
const ENTRY = 'dist/argv/sync-entry.js'
/** Seconds beyond a process's own time limit after which the thread is taken for lost. */
const MARGIN = 30

interface Thread {
  readonly worker: Worker
  readonly port: MessagePort
  readonly posted: Int32Array<SharedArrayBuffer>
}

let thread: Thread | undefined

/**
 * Runs a process as `runProcess` does, in a thread that lives on for the next, and blocks this thread until then.
 *
 * @throws UnsupportedError where the built entry of that thread is not there
 */
export function runProcessSync(spec: ProcessSpec): ProcessEnd {
  thread ??= start()
  const { port, posted } = thread
  const before = Atomics.load(posted, 0)
  port.postMessage(spec)
  Atomics.wait(posted, 0, before, (spec.timeout + MARGIN) * 1000)
  const reply = receive(port)
  if (reply?.ok) return reply.end
  void thread.worker.terminate()
  thread = undefined
  throw new ProtocolError(reply?.message ?? 'The thread that runs processes for execSync gave no answer.')
}

function start(): Thread {
  const { port1, port2 } = new MessageChannel()
  const posted = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(pathToFileURL(findEntry()), {
    workerData: { port: port2, posted },
    transferList: [port2],
    execArgv: [],
  })
  worker.unref()
  port1.unref()
  // Told by the answer that does not come.
  worker.on('error', () => undefined)
  return { worker, port: port1, posted }
}

function receive(port: MessagePort): SyncReply | undefined {
  const received: { message: SyncReply } | undefined = receiveMessageOnPort(port)
  return received?.message
}

function findEntry(): string {
  const entry = join(packageFolder(), ENTRY)
  if (existsSync(entry)) return entry
  throw new UnsupportedError(
    `execSync needs the file ${ENTRY} of strands-shell-runtime, which is not there. Install the package where this code runs, or use exec.`,
  )
}

function packageFolder(): string {
  try {
    // A bundle in CommonJS form has no `import.meta.url`; there the working directory is the best start.
    const from = import.meta.url ?? pathToFileURL(`${process.cwd()}/_`)
    return dirname(createRequire(from).resolve('strands-shell-runtime/package.json'))
  } catch (cause) {
    throw new UnsupportedError(
      'execSync needs the package strands-shell-runtime installed where this code runs. Use exec instead.',
      { cause },
    )
  }
}
