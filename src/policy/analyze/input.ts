import type { HereDoc, HereString, Redirection } from 'unbash'
import { literalOf, literalOfParts } from './words.ts'

/** What a command reads as its standard input. */
export type Input =
  | { readonly kind: 'text'; readonly text: string }
  /** A file, what is around the command, or a text that is only known at run time. */
  | { readonly kind: 'file' | 'inherited' | 'unknown' }

/** What the redirects of a command make its standard input. */
export function inputOf(redirects: readonly Redirection[]): Input {
  const last = redirects.findLast(readsInput)
  if (last === undefined) return { kind: 'inherited' }
  if (last.type === 'Redirect') return { kind: 'file' }
  const text = textOf(last)
  return text === undefined ? { kind: 'unknown' } : { kind: 'text', text }
}

function readsInput({ type, operator, descriptor }: Redirection): boolean {
  if (type === 'Redirect' && !operator.startsWith('<')) return false
  return descriptor === undefined || (descriptor.type === 'FileDescriptor' && descriptor.value === 0)
}

function textOf(redirection: HereDoc | HereString): string | undefined {
  if (redirection.type === 'HereString') return redirection.target && literalOf(redirection.target)
  const { delimiter, body } = redirection
  if (delimiter?.quoted === true || body.parts === undefined) return body.text
  return literalOfParts(body.parts)
}
