import { refuse } from '../refusal.ts'
import type { CommandRule } from './command.ts'

/** The options of a program: letters that the engine's own has, that a program of ours has, and that change nothing here. */
interface Options {
  readonly own: string
  readonly ours?: string
  readonly ignored?: string
  /** Long options, and the letters that they stand for. */
  readonly long?: Readonly<Record<string, string>>
  readonly instead?: string
}

const OPTIONS: Readonly<Record<string, Options>> = {
  env: { own: '', instead: 'set or unset variables in ( )' },
  ln: {
    own: 's',
    ours: 'fnTv',
    long: {
      symbolic: 's',
      force: 'f',
      'no-dereference': 'n',
      verbose: 'v',
      'no-target-directory': 'T',
    },
  },
  ls: {
    own: 'alhdARrSpF1t',
    ignored: 'N',
    long: {
      all: 'a',
      'almost-all': 'A',
      recursive: 'R',
      reverse: 'r',
      directory: 'd',
      'human-readable': 'h',
      classify: 'F',
    },
  },
  mkdir: { own: 'p', ours: 'v', long: { parents: 'p', verbose: 'v' } },
  readlink: {
    own: '',
    ours: 'femn',
    long: {
      canonicalize: 'f',
      'canonicalize-existing': 'e',
      'canonicalize-missing': 'm',
      'no-newline': 'n',
    },
  },
  rm: {
    own: 'frR',
    ours: 'dv',
    long: { force: 'f', recursive: 'r', dir: 'd', verbose: 'v' },
    instead: 'use rm -f',
  },
  rmdir: { own: '', ours: 'pv', long: { parents: 'p', verbose: 'v' } },
  tee: { own: 'a', ignored: 'ip', long: { append: 'a' } },
  touch: { own: '', ignored: 'am', instead: 'the time of a file is that of its last change' },
  uniq: {
    own: '',
    ours: 'cdui',
    long: { count: 'c', repeated: 'd', unique: 'u', 'ignore-case': 'i' },
  },
}

/** A long option as a letter. */
export function withLetters(name: string, literal: string | undefined): string | undefined {
  const letter = literal?.startsWith('--') === true ? OPTIONS[name]?.long?.[literal.slice(2)] : undefined
  return letter === undefined ? literal : `-${letter}`
}

/**
 * Options of a program of the engine: a long one is written as a letter, and one that the engine lacks is refused before
 * anything runs, as what the engine says of it may go where nobody reads it.
 */
export const ownOptions: CommandRule = ({ name, words, literals, nameWord }, { script, program }) => {
  const { own, ours = '', ignored = '', long = {}, instead } = OPTIONS[name] ?? { own: '' }
  let isOurs = false
  for (const [index, word] of words.entries()) {
    const literal = literals[index]
    if (literal === '--') break
    if (literal?.startsWith('-') !== true || literal === '-' || literal === '--help') continue
    if (script.text(word) === '') continue
    const letters = literal.startsWith('--') ? long[literal.slice(2)] : literal.slice(1)
    const unknown = [...(letters ?? '-')].some((letter) => !`${own}${ours}${ignored}`.includes(letter))
    if (letters === undefined || unknown) refuse(`${name} ${literal}`, instead)
    if ([...letters].some((letter) => ours.includes(letter))) isOurs = true
    const kept = [...letters].filter((letter) => !ignored.includes(letter)).join('')
    if (kept !== literal.slice(1)) script.replace(word, kept === '' ? '' : `-${kept}`)
  }
  if (isOurs) script.replace(nameWord, program(name))
}
