import type { Word, WordPart } from 'unbash'
import { quoted } from '../quoting.ts'
import { refuse } from './refusal.ts'
import type { Script } from './script.ts'

/** A name of a variable. */
export const NAME: RegExp = /^[A-Za-z_]\w*$/

/** The value of a word that has no expansions; undefined where it has some, or a pattern. */
export function literalOf(word: Word | undefined): string | undefined {
  if (word === undefined) return undefined
  return word.parts === undefined || word.parts.every(isLiteral) ? word.value : undefined
}

/** Whether a word becomes one argument: it is literal, or all in double quotes. */
export function isOneWord(word: Word): boolean {
  return literalOf(word) !== undefined || (word.text.startsWith('"') && !word.text.includes('@'))
}

function isLiteral(part: WordPart): boolean {
  if (part.type === 'DoubleQuoted') return part.parts.every(({ type }) => type === 'Literal')
  return part.type === 'Literal' || part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted'
}

/** A word as one that is neither split nor matched with names of files: as in an assignment or in `[[ ]]`. */
export function oneWord(word: Word, script: Script): string {
  const parts = word.parts ?? [literalPart(word)]
  const text = parts
    .map((part, index) => (index === 0 ? homeOf(part, script) : quotedPart(part, script)))
    .join('')
  return kept(text)
}

/** The engine drops a word that is empty after its expansion unless a part of it is in single quotes. */
function kept(text: string): string {
  return text.endsWith("'") ? text : `${text}''`
}

/** The value of an assignment as a word that is not split. */
export function assignedWord(word: Word, script: Script): string {
  const parts = word.parts ?? [literalPart(word)]
  const text = parts
    .map((part, index) =>
      part.type === 'Literal' && !part.text.includes('\\')
        ? homesIn(part.value, index === 0, index === parts.length - 1)
        : quotedPart(part, script),
    )
    .join('')
  return kept(text)
}

/** Writes out what `~` stands for in the literal parts of such a value. */
export function replaceHomes({ parts = [] }: Word, script: Script): void {
  for (const [index, part] of parts.entries())
    if (part.type === 'Literal' && part.text.includes('~') && !part.text.includes('\\'))
      script.replace(part, homesIn(part.value, index === 0, index === parts.length - 1))
}

/** A part of such a value, where `~` stands for a directory at its beginning and behind colons. */
function homesIn(text: string, isFirst: boolean, isLast: boolean): string {
  const home = new RegExp(`(?<=${isFirst ? '^|:' : ':'})~(?=[/:]${isLast ? '|$' : ''})`)
  return text
    .split(home)
    .map((piece) => (piece === '' ? '' : quoted(piece)))
    .join('"$HOME"')
}

/** A word as a pattern. What is quoted in it is literal; the engine takes stars in quotes for patterns all the same. */
export function patternWord(word: Word, script: Script): string {
  return (word.parts ?? [literalPart(word)]).map((part) => patternPart(part, script)).join('')
}

/** Variables that stand for quotes and line breaks where these are hard to read. */
const QUOTES: ReadonlyMap<string, string> = new Map([
  ['"', '__ssr_double'],
  ["'", '__ssr_single'],
  ['\n', '__ssr_newline'],
])

/** A word as the pattern of `${x#…}`: in double quotes quotes in it are hard to read. */
export function removedPattern(word: Word, script: Script, hoist: (definition: string) => void): string {
  const named = (char: string) => {
    const name = QUOTES.get(char) ?? ''
    hoist(`${name}=${quoted(char)}`)
    return `\${${name}}`
  }
  return patternWord(word, script)
    .replaceAll(`'\\''`, () => `'${named("'")}'`)
    .replaceAll("''", '')
    .replaceAll(/'([\w./:=@,+\s"-]*)'/g, (_, text: string) => text.replaceAll(/["\n]/g, named))
}

/** Whether a pattern has classes, or quoted parts that the engine would not take for literal. */
export function isMisread({ parts, text }: Word): boolean {
  return parts === undefined
    ? /\\[*?[]/.test(text) || CLASS.test(text)
    : parts.some(
        (part) =>
          CLASS.test(part.text) ||
          (part.type !== 'Glob' && /^["'$]|\\/.test(part.text) && /[$`*?[]/.test(part.text.slice(1))),
      )
}

const CLASS = /\[:\w+:\]/
/** `[…]` in a pattern. */
const BRACKETS = /\[[!^]?\]?(?:\[:\w+:\]|[^\]])*\]/g

/** What the classes of a pattern are: the engine has none. */
const CLASSES: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  blank: quoted(' \t'),
  digit: '0-9',
  lower: 'a-z',
  space: quoted(' \t\n\r\v\f'),
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
}

function withoutClasses(pattern: string): string {
  const text = pattern.replaceAll(BRACKETS, (brackets) =>
    brackets.replaceAll(
      /(?<!^)\[:(\w+):\]/g,
      (_, name: string) => CLASSES[name] ?? refuse(`[:${name}:] in this pattern`, 'write its characters'),
    ),
  )
  const [alone] = CLASS.exec(text) ?? []
  return alone === undefined ? text : refuse(`${alone} as a pattern`, `use [${alone}]`)
}

function patternPart(part: WordPart, script: Script): string {
  switch (part.type) {
    case 'Literal':
      return part.text.includes('\\') ? literalPattern(part.value) : withoutClasses(part.text)
    case 'Glob':
      return withoutClasses(part.text)
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return literalPattern(part.value)
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.length === 0
        ? "''"
        : part.parts
            .map((one) =>
              one.type === 'Literal' ? literalPattern(one.value) : `$(__ssr_literal "${script.text(one)}")''`,
            )
            .join('')
    case 'BraceExpansion':
      return literalPattern(part.text)
    default:
      return script.text(part)
  }
}

/** A pattern that matches a text only. */
function literalPattern(text: string): string {
  if (text === '') return "''"
  return text
    .split(/([*?[])/)
    .filter((piece) => piece !== '')
    .map((piece) => (/^[*?[]$/.test(piece) ? `[${piece}]` : quoted(piece)))
    .join('')
}

/** A word without parts as one. */
export function literalPart({ pos, end, text, value }: Word): WordPart {
  return { type: 'Literal', pos, end, text, value }
}

function homeOf(part: WordPart, script: Script): string {
  if (part.type !== 'Literal' || !/^~(?:\/|$)/.test(part.text)) return quotedPart(part, script)
  return `"$HOME"${quoted(part.value.slice(1))}`
}

function quotedPart(part: WordPart, script: Script): string {
  switch (part.type) {
    case 'Literal':
    case 'AnsiCQuoted':
      return quoted(part.value)
    case 'SingleQuoted':
    case 'DoubleQuoted':
      return script.text(part)
    case 'BraceExpansion':
      return /["'$`\\]/.test(part.text)
        ? refuse(`quotes in ${part.text} here`, 'quote the whole word')
        : quoted(part.text)
    case 'Glob':
    case 'ExtendedGlob':
      return quoted(part.text)
    default:
      return `"${script.text(part)}"`
  }
}
