import type { NodeOf } from '../just-bash.ts'
import { literal, simple, single } from './nodes.ts'

/** What `timeout` gives for a command that it ended. */
const STOPPED = '124'

/**
 * A body that is `exit` once the script must end: a shell that exits keeps its variables, and one whose
 * signal is aborted does not.
 */
export function stoppable(
  node: NodeOf<'While' | 'Until' | 'For' | 'CStyleFor' | 'Group'>,
  isEnding: () => boolean,
): void {
  const { body } = node
  const exit = [single(simple('exit', literal(STOPPED)))]
  Object.defineProperty(node, 'body', {
    enumerable: true,
    configurable: true,
    get: () => (isEnding() ? exit : body),
  })
}
