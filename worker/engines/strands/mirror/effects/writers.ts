import type { Effects } from './effects.ts'
import { NONE, WRITES, writesAt } from './effects.ts'
import type { Operand } from './scan-word.ts'
import { UNSEEN } from './scan-word.ts'
import { onlyPrints } from './sed-script.ts'

const MODE = /^(?:[0-7]{3,4}|[ugoa]*[+=][rwxX]*|[ugoa]+-[rwxX]*)$/

/** `touch`, and others that change each of their operands. */
export function touch(words: readonly Operand[]): Effects {
  return changing(words, /^(?!)/)
}

/** `tee`, also with `-a`. */
export function tee(words: readonly Operand[]): Effects {
  return changing(words, /^-a$/)
}

/** `mkdir`, also with `-p`. */
export function mkdir(words: readonly Operand[]): Effects {
  return changing(words, /^-p$/)
}

/** `rm` and `rmdir`: with all that is in a directory. */
export function rm(words: readonly Operand[]): Effects {
  return changing(words, /^-[rRf]+$/, true)
}

/** `chmod` with a mode that is no option. */
export function chmod([mode, ...files]: readonly Operand[]): Effects {
  return MODE.test(mode?.path ?? '') ? changing(files, /^(?!)/) : WRITES
}

/** `cp` of files: the last operand is the copy, or a directory that gets it under the name of the file. */
export function cp(words: readonly Operand[]): Effects {
  const paths = pathsOf(words, /^-f$/)
  const to = paths?.at(-1)
  if (paths === undefined || to === undefined) return WRITES
  const names = paths.slice(0, -1).map((path) => path.replace(/\/+$/, ''))
  return writesAt([to, ...names.map((path) => `${to}/${path.slice(path.lastIndexOf('/') + 1)}`)])
}

/** `sed`: without `-i` and with scripts that only print it changes nothing. */
export function sed(words: readonly Operand[]): Effects {
  let scripts = 0
  let isFromOperand = false
  let inPlace = false
  const files: Operand[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? UNSEEN
    let script = word.value
    if (script?.startsWith('-') && script !== '-') {
      if (/^-[nEr]+$/.test(script)) continue
      if (script === '-i') {
        inPlace = true
        continue
      }
      // With `-e`, an operand before it is a file.
      if (isFromOperand || !/^-[nEr]*e$/.test(script)) return WRITES
      script = words[++at]?.value ?? null
    } else if (scripts > 0) {
      files.push(word)
      continue
    } else isFromOperand = true
    if (script === null || !onlyPrints(script)) return WRITES
    scripts++
  }
  if (inPlace) return changing(files, /^(?!)/)
  return files.every(({ inert }) => inert) ? NONE : WRITES
}

/** A command with these options that changes each of its operands. */
function changing(words: readonly Operand[], options: RegExp, below = false): Effects {
  const paths = pathsOf(words, options)
  return paths === undefined ? WRITES : writesAt(paths, below)
}

/** The operands of a command; `undefined` where one is not literal, or an option is another one. */
function pathsOf(words: readonly Operand[], options: RegExp): string[] | undefined {
  const paths: string[] = []
  for (const { path } of words) {
    if (path === null || path === '') return undefined
    if (!path.startsWith('-')) paths.push(path)
    else if (!options.test(path)) return undefined
  }
  return paths
}
