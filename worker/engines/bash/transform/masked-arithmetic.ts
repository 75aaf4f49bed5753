import type { ScriptNode } from '../just-bash.ts'
import { restoreExpression } from './arithmetic-spacing.ts'
import { rewriteTexts } from './walk.ts'

/** `((…))` on one line, parentheses inside it closed. */
const ARITHMETIC = /\(\((?:[^()\n'"]|\((?:[^()\n'"]|\((?:[^()\n'"]|\([^()\n'"]*\))*\))*\))*\)\)/g

const SHIFT = '*0x7e57*'
const ASSIGNMENT = '+=0x7e57+'
const BASED = '0x7e58'
const MASKED = /\*\s*0x7e57\s*\*|\+=\s*0x7e57\s*\+/g

/** Other words for `<<` and `2#101` in arithmetic: just-bash begins a here-document or a comment there. */
export function maskArithmetic(text: string): string {
  if (!text.includes('((') || !/<<|\d#/.test(text)) return text
  return text.replaceAll(ARITHMETIC, (piece) =>
    piece
      .replaceAll('<<=', ASSIGNMENT)
      .replaceAll('<<', SHIFT)
      .replaceAll(/\b\d+#[\w@]+/g, asHex),
  )
}

const asHex = (number: string) => `${BASED}${Buffer.from(number).toString('hex')}`

const unmask = (text: string) =>
  text
    .replaceAll(MASKED, (mark) => (mark.startsWith('*') ? '<<' : '<<='))
    .replaceAll(new RegExp(`${BASED}([0-9a-f]+)`, 'g'), (_, digits: string) =>
      Buffer.from(digits, 'hex').toString(),
    )

/** Puts them back in all texts of a tree, and parses the expressions that have one once more. */
export function restoreArithmetic(ast: ScriptNode, parse: (text: string) => ScriptNode): void {
  rewriteTexts(
    ast,
    (text) => (text.includes('0x7e5') ? unmask(text) : text),
    (value) => restoreExpression(value, unmask, parse) !== 'none',
  )
}
