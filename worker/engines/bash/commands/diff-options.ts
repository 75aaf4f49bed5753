import { detach } from './wrapper.ts'

/** What the words of `diff` say. */
export interface DiffOptions {
  /** Lines around changes with `-u` or `-c`. */
  unified: number | undefined
  contextual: number | undefined
  sideBySide: boolean
  width: number
  leftColumn: boolean
  suppressCommon: boolean
  brief: boolean
  identical: boolean
  recursive: boolean
  absentAsEmpty: boolean
  /** The options as they were given. */
  given: string
  readonly keys: ((line: string) => string)[]
  blank: boolean
  readonly labels: string[]
  /** Names that a comparison of directories leaves out, as patterns. */
  readonly excluded: string[]
}

const LONG: Readonly<Record<string, string>> = {
  brief: 'q',
  recursive: 'r',
  unified: 'u',
  context: 'c',
  'side-by-side': 'y',
  'report-identical-files': 's',
  'ignore-case': 'i',
  'ignore-all-space': 'w',
  'ignore-space-change': 'b',
  'ignore-trailing-space': 'Z',
  'ignore-blank-lines': 'B',
  'new-file': 'N',
  text: 'a',
  normal: 'a',
  minimal: 'd',
  'left-column': 'left-column',
  'suppress-common-lines': 'suppress-common-lines',
  'strip-trailing-cr': 'strip-trailing-cr',
}

const VALUES: Readonly<Record<string, string>> = {
  '--label': 'L',
  '--width': 'W',
  '--unified': 'U',
  '--context': 'C',
  '--exclude': 'x',
}

/** @returns the options and operands, or what is refused */
export function readDiffOptions(args: readonly string[]): { options: DiffOptions; paths: string[] } | string {
  const options: DiffOptions = {
    unified: undefined,
    contextual: undefined,
    sideBySide: false,
    width: 130,
    leftColumn: false,
    suppressCommon: false,
    brief: false,
    identical: false,
    recursive: false,
    absentAsEmpty: false,
    given: '',
    keys: [],
    blank: false,
    labels: [],
    excluded: [],
  }
  const paths: string[] = []
  const words = detach(args, 'UCWLx')
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    const long = /^(--[a-z-]+)(?:=([\s\S]*))?$/.exec(word)
    const letter = /^-[UCWLx]$/.test(word)
      ? word[1]
      : long?.[2] !== undefined || /^--(label|width|exclude)$/.test(word)
        ? VALUES[long?.[1] ?? '']
        : undefined
    if (word === '--') paths.push(...words.splice(at + 1))
    else if (/^--colou?r/.test(word)) continue
    else if (letter !== undefined) {
      if (long?.[2] === undefined) at += 1
      const refused = valued(letter, long?.[2] ?? words[at], options)
      if (refused !== undefined) return refused
    } else if (long !== null) {
      const short = LONG[(long[1] ?? '').slice(2)]
      const refused =
        short === undefined || long[2] !== undefined ? `unrecognized option '${word}'` : flag(short, options)
      if (refused !== undefined) return refused
    } else if (/^-\d+$/.test(word)) options.unified = Number(word.slice(1))
    else if (word.startsWith('-') && word !== '-') {
      for (const one of word.slice(1)) {
        const refused = flag(one, options)
        if (refused !== undefined) return refused
      }
    } else paths.push(word)
  }
  options.given = args.filter((word) => !paths.includes(word)).join(' ')
  return { options, paths }
}

function valued(letter: string, value: string | undefined, options: DiffOptions): string | undefined {
  if (value === undefined) return `option requires an argument -- '${letter}'`
  if (letter === 'L') options.labels.push(value)
  else if (letter === 'x') options.excluded.push(value)
  else if (!/^\d+$/.test(value)) return `invalid number '${value}'`
  else if (letter === 'U') options.unified = Number(value)
  else if (letter === 'C') options.contextual = Number(value)
  else options.width = Number(value)
  return undefined
}

function flag(letter: string, options: DiffOptions): string | undefined {
  switch (letter) {
    case 'u':
      options.unified ??= 3
      return undefined
    case 'c':
      options.contextual ??= 3
      return undefined
    case 'y':
      options.sideBySide = true
      return undefined
    case 'left-column':
      options.leftColumn = true
      return undefined
    case 'suppress-common-lines':
      options.suppressCommon = true
      return undefined
    case 'q':
      options.brief = true
      return undefined
    case 's':
      options.identical = true
      return undefined
    case 'r':
      options.recursive = true
      return undefined
    case 'N':
      options.absentAsEmpty = true
      return undefined
    case 'i':
      options.keys.push((line) => line.toLowerCase())
      return undefined
    case 'w':
      options.keys.push((line) => line.replaceAll(/\s+/g, ''))
      return undefined
    case 'b':
      options.keys.push((line) => line.replaceAll(/\s+/g, ' ').trimEnd())
      return undefined
    case 'Z':
    case 'strip-trailing-cr':
      options.keys.push((line) => (letter === 'Z' ? line.trimEnd() : line.replace(/\r$/, '')))
      return undefined
    case 'B':
      options.blank = true
      return undefined
    case 'a':
    case 'd':
    case 't':
      return undefined
    default:
      return `this diff has no -${letter}`
  }
}
