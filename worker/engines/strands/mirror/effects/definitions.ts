import { GUARDED_TESTS } from '../../guards/test-operands.ts'
import { type Effects, HIDDEN, UNKNOWN } from './effects.ts'

/** Commands whose text does not show what they define: at once, or in a later command. */
const HIDING: ReadonlySet<string> = new Set(['.', 'alias', 'builtin', 'eval', 'exec', 'source', 'trap'])

/** Signs of these, and of the definition of a guard, in a text without its quotes. */
const SIGNS =
  /[$`]|\b(?:alias|builtin|command|eval|exec|source|trap)\b|(?:^|[\s;&|(){}!])\.\s|(?:\[|\btest|\b__ssr_\w*)\s*\(|\bfunction\s+(?:\[|test\b|__ssr_)/

/** What a command does whose name is not known; null: the name is not in the text. */
export function unnamed(name: string | null): Effects {
  return name === null || HIDING.has(name) ? HIDDEN : UNKNOWN
}

/** What the definition of a function does: one of ours looks the same afterwards. */
export function defines(name: string | null): Effects {
  const ours = name === null || GUARDED_TESTS.has(name) || name.startsWith('__ssr_')
  return ours ? HIDDEN : UNKNOWN
}

/** What a text does that the engine may read in another way than the lexer. */
export function unread(text: string): Effects {
  return SIGNS.test(text.replaceAll(/['"\\]/g, '')) ? HIDDEN : UNKNOWN
}
