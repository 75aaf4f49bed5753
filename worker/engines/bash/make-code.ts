import { dirname } from 'node:path'
import { isMainThread, workerData } from 'node:worker_threads'
import type { BashRecord } from '../../../src/contract/shell-record.ts'
import { Code } from '../../service/code/code.ts'
import { removeOldCode, writeCode } from '../../service/code/code-file.ts'
import { loadScript } from '../../service/code/load-script.ts'
import type { ShellContext } from '../../service/engine-shell.ts'

type BashModule = typeof import('./bash-engine.ts')

const mebibyte = 2 ** 20

const record: BashRecord = {
  engine: 'bash',
  binds: [],
  credentials: [],
  allowedUrls: [],
  env: [],
  cwd: '/tmp',
  python: false,
  commands: [],
  limits: {
    maxOutput: mebibyte,
    maxFileSize: mebibyte,
    maxFileSystem: 16 * mebibyte,
    maxMemory: 64 * mebibyte,
  },
}

const gate = { pass: <T>(call: () => Promise<T>) => call(), onRetire: () => undefined }
const context: ShellContext = {
  gate,
  threadGate: gate,
  isInterrupted: () => false,
  lost: () => undefined,
  caller: {
    output: () => undefined,
    egress: () => undefined,
    command: () => Promise.reject(new TypeError('There are no commands of the host.')),
  },
}

/** What most sessions do first: the functions that it calls are kept compiled. */
const commands = [
  'echo a',
  'for i in 1 2; do echo "$i"; done | grep 2 | wc -l; [[ -f /etc/passwd ]] && cat /etc/passwd',
  'f() { local x=$1; echo "${x^^}" $((1 + 1)); }; y=$(f abc); printf "%s\\n" "$y" > /tmp/a; ls -la /tmp; sed s/A/B/ /tmp/a; head -1 < /tmp/a',
]

/** Compiles what bash workers load as they use it, and keeps that in a file. */
async function make(path: string, url: string): Promise<void> {
  const code = new Code()
  const { bashEngine } = loadScript('./bash.cjs', code) as BashModule
  const engine = await bashEngine(url, { code })
  const shell = await engine.build(record, context)
  for (const command of commands) await shell.run({ command })
  writeCode(path, code.compiled)
  removeOldCode(dirname(path))
}

// A thread of a host, or a process beside its cells: what was compiled depends on the flags of the process.
const [path, url]: readonly string[] = isMainThread ? process.argv.slice(2) : workerData
if (path === undefined || url === undefined)
  throw new TypeError('Expected the path of the file to write, and the URL of just-bash.')
// Nobody waits: without the file, workers compile what they load.
void make(path, url).then(
  () => process.exit(0),
  () => process.exit(1),
)
