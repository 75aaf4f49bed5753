import type { StatementNode } from '../just-bash.ts'
import { literal, quotedParameter, simple, single } from '../transform/nodes.ts'

/** How far a script has come. */
export interface Run {
  /** The statement that began last. */
  at: number
  /** Whether it came to its end. */
  whole: boolean
  /** The statement whose line an expression has ended. */
  discardedAt: number | undefined
}

/** The statements from one on. The script ends before the next one once it must. `onEnd` is told of each that has ended. */
export function* statementsOf(
  statements: readonly StatementNode[],
  run: Run,
  from: number,
  { isEnding, onEnd }: { readonly isEnding: () => boolean; readonly onEnd: () => void },
): Generator<StatementNode> {
  // The line has not ended there, or the script has ended elsewhere since.
  if (run.whole || (run.discardedAt !== undefined && run.discardedAt !== run.at)) {
    yield statusAgain()
    return
  }
  for (let at = from; at < statements.length; at += 1) {
    run.at = at
    const node = statements[at]
    if (node === undefined) continue
    yield isEnding() ? single(simple('exit', literal('124'))) : node
    onEnd()
  }
  run.whole = true
}

/** `( exit $? )` */
const statusAgain = (): StatementNode =>
  single({
    type: 'Subshell',
    body: [single(simple('exit', quotedParameter('?')))],
    redirections: [],
  })
