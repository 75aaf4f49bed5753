import { type ChildProcess, spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'

const entry = new URL('../../../src/posix/index.ts', import.meta.url)

/** Runs code in a process of its own, with `localShell` in scope. */
export async function runChild(code: string): Promise<ChildProcess> {
  const source = `const { localShell } = await import(${JSON.stringify(entry.href)}); ${code}`
  const args = ['--import', 'tsx', '--input-type=module', '--eval', source]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return child
}
