import type { ArrayValue, Assignment, CommandArgument, DoubleQuotedChild, Word, WordPart } from 'unbash'

/** A word of a command. */
export interface Argument {
  /** Without quotes; undefined where it is only known at run time. */
  readonly value: string | undefined
  /** What it begins with, as far as that is known. */
  readonly prefix: string
  /** As written. */
  readonly text: string
}

/** A word that is only known at run time. */
export function unknownArgument(text: string): Argument {
  return { value: undefined, prefix: '', text }
}

/** A word without its quotes; undefined where it is only known at run time. */
export function literalOf(word: Word): string | undefined {
  if (word.text.startsWith('~')) return undefined
  return word.parts === undefined ? word.value : literalOfParts(word.parts)
}

/** Parts of a word, or of a here-document, without quotes; undefined where one is only known at run time. */
export function literalOfParts(parts: readonly WordPart[]): string | undefined {
  let text = ''
  for (const part of parts) {
    const value = literalOfPart(part)
    if (value === undefined) return undefined
    text += value
  }
  return text
}

function literalOfPart(part: WordPart): string | undefined {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return part.value
    case 'DoubleQuoted':
    case 'LocaleString':
      return literalOfQuoted(part.parts)
    default:
      return undefined
  }
}

function literalOfQuoted(parts: readonly DoubleQuotedChild[]): string | undefined {
  return parts.every((part) => part.type === 'Literal') ? parts.map((part) => part.value).join('') : undefined
}

/** The value of an assignment; undefined where it is only known at run time. */
export function literalOfValue(value: Word | ArrayValue): string | undefined {
  if (value.type === 'ArrayValue') return undefined
  return /(?:^|:)~/.test(value.text) ? undefined : literalOf(value)
}

/** A word as an argument of a command. */
export function argumentOf(word: CommandArgument, source: string): Argument {
  const text = source.slice(word.pos, word.end)
  if (word.type === 'Assignment') return assignmentArgument(word, text)
  const value = literalOf(word)
  return { value, prefix: value ?? prefixOf(word), text }
}

function assignmentArgument(word: Assignment, text: string): Argument {
  const value = word.index === undefined ? literalOfValue(word.value) : undefined
  const prefix = `${word.name}${word.append === true ? '+=' : '='}`
  return { value: value === undefined ? undefined : prefix + value, prefix, text }
}

function prefixOf(word: Word): string {
  if (word.text.startsWith('~')) return ''
  const parts = word.parts ?? []
  const end = parts.findIndex((part) => literalOfPart(part) === undefined)
  return literalOfParts(parts.slice(0, end)) ?? ''
}
