import { errorMessage } from '../../../service/error-message.ts'
import { PatternError } from './bracket.ts'
import { type Match, Pattern, wrapped } from './pattern.ts'
import type { Dialect } from './posix-pattern.ts'

const PIECE =
  /\\Q([\s\S]*?)(?:\\E|$)|\\x\{([0-9a-fA-F]+)\}|\\[\s\S]|\[\^?\]?(?:\[:\w+:\]|\\[\s\S]|[^\]\\])*\]|\(\?P?<(?![=!])|\(\?P=(\w+)\)|\(\?.|[*+?}]\+|[\s\S]/g

const CLASSES: Readonly<Record<string, string>> = {
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: 'A-Za-z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\s',
  blank: ' \\t',
  punct: '!-\\/:-@\\[-`\\{-~',
  xdigit: '0-9A-Fa-f',
  word: '\\w',
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\h': '[ \\t]',
  '\\H': '[^ \\t]',
  '\\A': '(?<![\\s\\S])',
  '\\z': '(?![\\s\\S])',
  '\\Z': '(?![\\s\\S])',
  '\\R': '(?:\\r\\n|[\\n\\v\\f\\r])',
  '\\N': '[^\\n]',
  '\\a': '\\x07',
  '\\e': '\\x1b',
}

/** A piece as JavaScript has it. */
function translate(
  piece: string,
  quoted: string | undefined,
  code: string | undefined,
  name: string | undefined,
): string {
  if (quoted !== undefined) return quoted.replaceAll(/[\^$\\.*+?()[\]{}|/]/g, '\\$&')
  if (code !== undefined) return `\\u{${code}}`
  if (name !== undefined) return `\\k<${name}>`
  if (piece === '(?P<' || piece === '(?<') return '(?<'
  if (/^\(\?[^:=!<]$/.test(piece) || /^[*+?}]\+$/.test(piece) || /^\\[XGgC]$/.test(piece))
    throw new PatternError(`${piece} of a Perl expression is not known here`)
  if (ESCAPES[piece] !== undefined) return ESCAPES[piece] ?? ''
  if (!piece.startsWith('[') || piece.length === 1) return piece
  return piece
    .replaceAll(/(?!^)\[:(\w+):\]/g, (whole, named: string) => CLASSES[named] ?? whole)
    .replaceAll('\\h', ' \\t')
    .replaceAll(/(?!^)\[/g, (_, at: number, all: string) => (all[at - 1] === '\\' ? '[' : '\\['))
    .replace(/^(\[\^?)\]/, '$1\\]')
}

/** An expression whose match begins where its first group ends: `before\Kwanted`. */
class KeepPattern extends Pattern {
  override find(text: string, from = 0): Match | undefined {
    const found = super.find(text, from)
    if (found === undefined) return undefined
    const [whole = '', before = ''] = found.texts
    return { index: found.index + before.length, texts: [whole.slice(before.length)] }
  }
}

function compile(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, `${flags}u`)
  } catch (error) {
    const message = errorMessage(error)
    // Perl allows escapes that JavaScript allows only without the flag `u`, where these mean something else.
    if (/\\[pPuk]/.test(source)) throw new PatternError(message)
    try {
      return new RegExp(source, flags)
    } catch {
      throw new PatternError(message)
    }
  }
}

/** Whether `|` stands outside of all groups. */
function alternates(source: string): boolean {
  let depth = 0
  for (const [piece] of source.matchAll(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|[\s\S]/g)) {
    if (piece === '(') depth += 1
    else if (piece === ')') depth -= 1
    else if (piece === '|' && depth === 0) return true
  }
  return false
}

/** An expression of Perl, by JavaScript. @throws {PatternError} for what JavaScript lacks. */
export function compilePerl(text: string, ignoreCase: boolean, whole?: Dialect['whole']): Pattern {
  const [inline = ''] = /^\(\?[ims]+\)/.exec(text) ?? []
  const flags = [
    'g',
    ignoreCase || inline.includes('i') ? 'i' : '',
    inline.includes('m') ? 'm' : '',
    inline.includes('s') ? 's' : '',
  ].join('')
  const [before = '', wanted, ...rest] = text
    .slice(inline.length)
    .split(/(?<!\\)(?:\\\\)*\\K/)
    .map((part) => part.replaceAll(PIECE, translate))
  if (wanted === undefined) return new Pattern(compile(wrapped(before, whole), flags), [], 0)
  if (rest.length > 0 || alternates(before) || alternates(wanted) || /\\[1-9]/.test(wanted))
    throw new PatternError('\\K is not known in this place')
  return new KeepPattern(compile(wrapped(`(${before})(?:${wanted})`, whole), flags), [], 0)
}
