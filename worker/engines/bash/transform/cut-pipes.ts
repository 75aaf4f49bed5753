import type { CommandNode, PipelineNode, StatementNode, WordNode } from '../just-bash.ts'
import { generatedGroup, literal, plainText, simple, single, word } from './nodes.ts'

/** just-bash's own builtin that sets PIPESTATUS and the status that follows from it. */
export const SET_STATUSES = '__just_bash_tee_restore'

/** Status of a program whose reader has ended: 128 and the number of SIGPIPE. */
const BROKEN_PIPE = '141'

/** The statuses of a pipeline's stages, as it is told which readers left input unread. */
export interface Readers {
  /** Whether a reader has left more unread than fits into a pipe since the last question. */
  takeUnread(): boolean
}

/**
 * `yes | head -1`: the writer ends by a signal where its reader leaves more unread than a pipe holds. Here
 * it has ended before its reader begins, and so the pipeline's statuses are set after it.
 */
export function cutPipes(node: PipelineNode, readers: Readers): CommandNode | undefined {
  const { commands } = node
  const reader = commands.findIndex((command, at) => at > 0 && isHead(command))
  if (reader < 0 || node.timed === true) return undefined
  const inner = single(commands[0] ?? simple(':'))
  const whole: StatementNode = { ...inner, pipelines: [{ ...node, negated: false }] }
  return generatedGroup(
    function* () {
      readers.takeUnread()
      yield whole
      if (readers.takeUnread()) yield single(simple(SET_STATUSES, ...statuses(commands, reader)))
    },
    [whole],
  )
}

const isHead = (command: CommandNode) =>
  command.type === 'SimpleCommand' && plainText(command.name) === 'head'

function statuses(commands: readonly CommandNode[], reader: number): WordNode[] {
  return commands.map((command, at) => {
    const endless = command.type === 'SimpleCommand' && plainText(command.name) === 'yes'
    if (at === reader - 1 || (endless && at < reader)) return literal(BROKEN_PIPE)
    return word({
      type: 'DoubleQuoted',
      parts: [{ type: 'ParameterExpansion', parameter: `PIPESTATUS[${at}]`, operation: null }],
    })
  })
}
