import type { StatementNode } from '../just-bash.ts'
import { innerPath } from './inner-command.ts'
import { group, pipeline, quotedParameter, simple, single, statement } from './nodes.ts'

/** `__text`: its input without NUL bytes. */
export const TEXT = '__text'

/** What may print a NUL byte. */
const PRINTS_NULL =
  /\\0|\\x0|%[-\d]*c|print0|--null|--zero|output0|\/dev\/(?:zero|u?random)|\/proc\/|\b(?:gunzip|zcat|xzcat|bzcat|dd|openssl)\b|\bbase64 +-|\bxxd +-\w*r|\b(?:head|tail) +-c/

/** Whether a text may be printed that has NUL bytes. */
export const mayPrintNull = (statements: readonly StatementNode[]): boolean =>
  statements.some(({ sourceText = '' }) => PRINTS_NULL.test(sourceText))

/** `$( )` leaves NUL bytes out, and just-bash keeps them: `{ …; } | __text`, with the status of the list. */
export function withoutNulls(statements: StatementNode[]): StatementNode[] {
  const filtered = pipeline(group(statements), simple(innerPath(TEXT)))
  const status = pipeline({
    type: 'Subshell',
    body: [single(simple('exit', quotedParameter('PIPESTATUS[0]')))],
    redirections: [],
  })
  return [statement([filtered, status], [';'])]
}
