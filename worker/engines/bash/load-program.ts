import { closeSync, openSync } from 'node:fs'
import { importModule } from '../../service/code/import-module.ts'
import { isExhausted } from '../../service/exhaustion.ts'

/** Files that the modules of one program open at once, at most. */
const MOST_FILES = 16

const NOTHING = '/dev/null'

const failures = new Map<string, number>()

/**
 * Imports the module of a program of just-bash when the program is first used. Node keeps for good that a module's file could
 * not be opened: it is asked only where there are descriptors, and after a failure by another name.
 *
 * @throws Error that names no path of the host where there are none
 */
export async function loadProgram(url: string): Promise<unknown> {
  if (!hasDescriptors()) throw outOfFiles()
  const failed = failures.get(url) ?? 0
  try {
    return await importModule(failed === 0 ? url : `${url}?again=${failed}`)
  } catch (error) {
    if (!isExhausted(error)) throw error
    failures.set(url, failed + 1)
    throw outOfFiles()
  }
}

function hasDescriptors(): boolean {
  const opened: number[] = []
  try {
    while (opened.length < MOST_FILES) opened.push(openSync(NOTHING, 'r'))
    return true
  } catch (error) {
    return !isExhausted(error) // Where there is no such file, the import tells.
  } finally {
    for (const descriptor of opened) closeSync(descriptor)
  }
}

function outOfFiles(): Error {
  return new Error('cannot be loaded now: the process may open no further file (EMFILE)')
}
