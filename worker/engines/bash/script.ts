import { codeCommand, shellOf } from './code-command.ts'
import type { ExecResult } from './just-bash.ts'
import { type ChildContext, runChild } from './session/child.ts'
import type { InterpreterState } from './session/interpreter-state.ts'
import type { Interpreter, RunOptions, Session } from './session/session.ts'

/** What is to run: its text, for messages, and how it begins. */
export interface Script {
  readonly text: string
  readonly start: (session: Session, options: RunOptions) => Promise<ExecResult>
}

/** A command of the session itself. */
export function commandScript(command: string): Script {
  return { text: command, start: (session, options) => session.run(command, options) }
}

/** Source code. That of a shell runs in one of its own, and not as a word of a command, so that it streams as a command does. */
export function codeScript(code: string, language: string, interpreter: Interpreter): Script {
  const shell = shellOf(language)
  if (shell === undefined) return commandScript(codeCommand(code, language))
  return {
    text: code,
    start: async (session, { stdin, streamed }) => {
      const refused = interpreter.rules?.refuseWord(shell)
      if (refused !== undefined) {
        streamed?.ended(refused)
        return refused
      }
      const request = { text: code, words: [shell], origin: 'inline', streamed } as const
      const result = await runChild(interpreter, contextOf(session.state, stdin), request)
      session.update({ lastExitCode: result.exitCode })
      return result
    },
  }
}

/** What a shell of its own has of a session. */
function contextOf({ cwd, env, exportedVars }: InterpreterState, stdin = ''): ChildContext {
  const exported = [...exportedVars].flatMap((name) => {
    const value = env.get(name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return { cwd, exportedEnv: Object.fromEntries(exported), stdin }
}
