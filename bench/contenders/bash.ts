import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Answer, Cannot, type Contender, type Shell } from './contender.ts'

/** A `bash -c` of the host for each command, in a directory of its own, with no isolation at all. */
export const bash: Contender = {
  name: 'bash',
  start: async ({ startEach, warm = 0 } = {}) => {
    if (startEach === true) throw new Cannot('starts a process for every command as it is')
    if (warm > 0) throw new Cannot('keeps no places ready')
    return { open: openShell, close: async () => undefined }
  },
}

async function openShell(tree?: string): Promise<Shell> {
  const root = await mkdtemp(join(tmpdir(), 'bench-bash-'))
  if (tree !== undefined) await cp(tree, root, { recursive: true })
  return {
    root,
    execute: (command) => run(command, root),
    readFile: async (path) => readAll(spawnBash('cat -- "$0"', root, path)),
    writeFile: async (path, content) => {
      const child = spawnBash('cat > "$0"', root, path)
      child.stdin?.end(content)
      await readAll(child)
    },
    close: () => rm(root, { recursive: true }),
  }
}

function run(command: string, cwd: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    execFile('bash', ['-c', command], { cwd }, (error, stdout) => {
      if (error === null) resolve({ exitCode: 0, stdout })
      else if (typeof error.code === 'number') resolve({ exitCode: error.code, stdout })
      else if (error.signal) resolve({ exitCode: 128 + constants.signals[error.signal], stdout })
      else reject(error)
    })
  })
}

function spawnBash(command: string, cwd: string, argument: string): ChildProcess {
  return spawn('bash', ['-c', command, argument], { cwd, stdio: ['pipe', 'pipe', 'inherit'] })
}

async function readAll(child: ChildProcess): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  child.stdout?.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const [exitCode] = (await once(child, 'close')) as [number | null]
  if (exitCode !== 0) throw new Error(`bash ended with ${exitCode}.`)
  return Buffer.concat(chunks)
}
