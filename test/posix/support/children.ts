import { type ChildProcess, spawn } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'
import { program } from '../../fixtures/program.ts'

const entry = pathToFileURL(program('src/posix/index.ts'))

/** Runs code in a process of its own, with `localShell` in scope. */
export async function runChild(code: string): Promise<ChildProcess> {
  const source = `const { localShell } = await import(${JSON.stringify(entry.href)}); ${code}`
  const args = ['--input-type=module', '--eval', source]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return child
}
