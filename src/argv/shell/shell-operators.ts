import type { Piece } from './read-command.ts'

/** Redirections, separators, command substitutions and line breaks. */
const OPERATOR = /[<>|;&`\n\r]|\$\(/

/** True for a command with an operator that only a shell could act on, outside quotes. */
export function hasShellOperator(pieces: readonly Piece[]): boolean {
  return OPERATOR.test(pieces.map(({ text, quoted }) => (quoted ? '_' : text)).join(''))
}
