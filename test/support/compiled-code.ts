import { copyFileSync, renameSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { inject } from 'vitest'
import type { EngineSource } from '../../src/contract/lease.ts'
import { findWorkerEntry } from '../../src/places/built-entry.ts'
import { codeOfCells, codeOfThreads } from '../../src/places/code/makers.ts'
import { faultyWorker } from '../faults/basics.ts'
import { compiledIn, copiesIn } from '../fixtures/compiled-code.ts'

const directory = inject('compiledCode')
const bash: EngineSource = { engine: 'bash', kind: 'module', path: '' }

/** Puts the compiled code where the threads and the cells of this process look for it. */
async function putCompiledCode(made: string): Promise<void> {
  for (const entry of [await findWorkerEntry(undefined), faultyWorker]) {
    for (const kept of [codeOfThreads, codeOfCells]) {
      const { code } = await kept.with(bash, entry)
      if (code !== undefined && isFirst(code, made)) copy(compiledIn(made), code)
    }
  }
}

/** False where this process or another one has made the copy. */
function isFirst(code: string, made: string): boolean {
  try {
    symlinkSync(code, join(copiesIn(made), basename(code)))
    return true
  } catch {
    return false
  }
}

/** Whoever reads it meanwhile finds all of it, or none. */
function copy(from: string, to: string): void {
  copyFileSync(from, `${to}.${process.pid}`)
  renameSync(`${to}.${process.pid}`, to)
}

if (directory !== undefined) await putCompiledCode(directory)
