import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The figures that a measurement prints, by name. */
export type Measured = Readonly<Record<string, number>>

/** Runs measurements of a program of `bench`, such as `'bash-child.ts'`, each in a process of its own. */
export function childOf(file: string): (...words: readonly string[]) => Promise<Measured> {
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url))
  return (...words) => measuredBy('--import', 'tsx', path, ...words)
}

/** The figures that a process of Node prints. */
export async function measuredBy(...words: readonly string[]): Promise<Measured> {
  const { stdout } = await run(process.execPath, words)
  return JSON.parse(stdout) as Measured
}
