import { runScript } from '../mirror/sandbox/script.ts'
import type { NativeShell } from '../native-shell.ts'
import { cutShort, word } from './failures.ts'

const tests = { exists: '-e', isLink: '-L', isDirectory: '-d' } as const

/** What is at a path. */
export interface Facts {
  /** True also for a link that leads nowhere. */
  readonly isThere: boolean
  readonly isLink: boolean
  /** True also for a link to one. */
  readonly isDirectory: boolean
}

/** What is at each path. */
export async function factsOf(shell: NativeShell, paths: readonly string[]): Promise<Facts[]> {
  const lines = paths.flatMap((path, index) =>
    Object.entries(tests).map(
      ([name, flag]) => `'[' '${flag}' ${word(path)} ']' && 'echo' '${name}${index}'`,
    ),
  )
  const printed = new Set(((await runScript(shell, lines)) ?? cutShort()).split('\n'))
  return paths.map((_, index) => {
    const [exists, isLink] = [printed.has(`exists${index}`), printed.has(`isLink${index}`)]
    return { isThere: exists || isLink, isLink, isDirectory: printed.has(`isDirectory${index}`) }
  })
}

/** Whether two paths lead to one file. */
export async function isSame(shell: NativeShell, one: string, other: string): Promise<boolean> {
  const printed = await runScript(shell, [`'[' ${word(one)} '-ef' ${word(other)} ']' && 'echo' 'same'`])
  return (printed ?? cutShort()) !== ''
}

/** The path of a directory without links; `undefined` where it cannot be entered. */
export async function realDirectory(shell: NativeShell, path: string): Promise<string | undefined> {
  const printed = (await runScript(shell, [`'cd' ${word(path)} && 'pwd' '-P'`])) ?? cutShort()
  return printed.startsWith('/') ? printed.slice(0, -1) : undefined
}
