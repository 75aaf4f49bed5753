import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { clearTimeout, setTimeout } from '../../async/clock.ts'
import { outsideRequests } from '../../async/outside-requests.ts'
import { cellEnvironment } from '../cells/cell-environment.ts'
import { temporaryEnvironment } from '../temporary-names.ts'
import { type CodeMaker, KeptCode } from './kept-code.ts'

/** What writes the file, beside the worker entry. */
const MAKER = './make-code.cjs'

/** Milliseconds that it may take: it takes less than a second. */
const LONGEST = 60_000

/** In a thread of this process: V8 has its flags. */
const inThread: CodeMaker = {
  flags: () => [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''],
  start: (file, { path }, workerEntry) => {
    const worker = outsideRequests(
      () =>
        new Worker(new URL(MAKER, workerEntry), {
          workerData: [file, path],
          env: temporaryEnvironment(),
          execArgv: [],
          argv: [],
        }),
    )
    const end = outsideRequests(() => setTimeout(() => void worker.terminate(), LONGEST)).unref()
    worker.on('exit', () => clearTimeout(end))
    worker.on('error', () => undefined) // Without the file, threads compile what they load.
    worker.unref()
  },
}

/** In a process of its own, as cells are: they have no flags. */
const inProcess: CodeMaker = {
  flags: () => [],
  start: (file, { path }, workerEntry) => {
    const { spawn } = process.getBuiltinModule('node:child_process')
    const args = [fileURLToPath(new URL(MAKER, workerEntry)), file, path]
    const child = outsideRequests(() =>
      spawn(process.execPath, args, {
        env: cellEnvironment(),
        stdio: 'ignore',
        timeout: LONGEST,
        windowsHide: true,
      }),
    )
    child.on('error', () => undefined) // As above.
    child.unref()
  },
}

/** That of the threads of this process. */
export const codeOfThreads = new KeptCode(inThread)

/** That of its cells. */
export const codeOfCells = new KeptCode(inProcess)
