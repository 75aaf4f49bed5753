import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { AuditLog } from '../../src/index.ts'
import { command } from './event.ts'

/** A path in a directory that goes with the test. */
export async function logPath(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'audit-test-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return join(directory, 'audit.log')
}

/** The text of a log: its rotated files first, oldest first. */
export async function textOf(path: string): Promise<string> {
  const directory = join(path, '..')
  const numbers = (await readdir(directory))
    .map((name) => /^audit\.log\.(\d+)$/.exec(name)?.[1])
    .filter((number) => number !== undefined)
    .map(Number)
    .sort((one, other) => other - one)
  const files = [...numbers.map((number) => `${path}.${number}`), path]
  return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('')
}

/** The lines of a text, each of which must be whole. */
export function linesIn(text: string): readonly Readonly<Record<string, unknown>>[] {
  if (text === '') return []
  if (!text.endsWith('\n')) throw new Error('The last line is not whole.')
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** What a log has of commands: their texts, and how many a marker says are missing. */
export function toldIn(text: string): readonly unknown[] {
  return linesIn(text).map((line) => (line['kind'] === 'dropped' ? line['lines'] : line['command']))
}

/** Records commands of these texts. */
export function recordAll(log: AuditLog, ...texts: readonly string[]): void {
  for (const text of texts) log.record(command(text))
}
