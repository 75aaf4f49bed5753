import { keepScript, reportScript, startScript, statusScript } from '../scripts/bash-state.ts'
import { KEEPS_FIRST, trapFunctionScript } from '../scripts/trap-function.ts'
import { clockLine, commandLine, enterLine, exportLine, variableLine } from '../session/command-line.ts'
import type { Interpreter } from './interpreter.ts'

const asItIs = (text: string) => text

/** GNU bash: it keeps all of its state when it ends. */
export const bash: Interpreter = {
  name: 'bash',
  command: 'BASH_ENV=$state bash --norc --noprofile -s',
  begin: '',
  reads: 'file',
  clockLine,
  scripts: (start) => ({
    start: startScript(start),
    r: reportScript,
    keep: keepScript(),
    'with-status': statusScript,
    'trap-function': trapFunctionScript,
  }),
  commandLine,
  enterLine,
  variableLine,
  exportLine,
  trapOf: (printed) => {
    const found = /^trap -- '([\s\S]*)' EXIT\n?$/.exec(printed)?.[1]
    if (found === undefined) return undefined
    const text = found.replaceAll("'\\''", "'")
    if (text === KEEPS_FIRST.slice(0, -2)) return undefined
    return text.startsWith(KEEPS_FIRST) ? text.slice(KEEPS_FIRST.length) : text
  },
  messages: (command) =>
    command.includes('eval') ? asItIs : (text) => text.replaceAll('bash: eval: line ', 'bash: -c: line '),
}
