import { SHELL_BUILTINS } from '../../contract/shell-builtins.ts'
import type { Policy } from '../types.ts'
import { interpreterOf, unjudgeable } from './judged-text.ts'
import { hasName, programNames } from './names.ts'
import { STRANDS_PROGRAMS } from './strands-programs.ts'

/**
 * Lets only these programs run, by their names, such as `ls`, or their absolute paths. What is part of the shell (`cd`, `echo`,
 * `test`, `export`) runs without being listed, and so do functions of the same command: their bodies are judged. A function or
 * alias of an earlier call is a name like others: list it. Code of another language (`executeCode`) runs where its name is listed.
 *
 * Bash refuses other programs where they are dispatched, whatever the text says. In Strands Shell and in jails the text alone
 * is judged: what is only known at run time (`$x`, `eval "$x"`, `sh FILE`, `. FILE`), `alias` and a new `PATH` are denied.
 *
 * It cannot see what a listed program does: `lua`, `awk`, `find -delete` and `sed -i` change files, and `lua` of Strands Shell
 * runs other programs. In a jail it does not see what bash computes out of values (`$((x))`, `${x@P}`). It does not judge
 * redirects, or calls that read and write files.
 *
 * @throws {SandboxConfigError} with the field `names` where they are no names of programs
 */
export function allowCommands(names: readonly string[]): Policy {
  const allowed = programNames(names)
  const list: ReadonlySet<string> = new Set(allowed)
  const policy: Policy = (call, analysis) => {
    if (call.kind === 'file') return 'allow'
    const interpreter = interpreterOf(call)
    if (interpreter !== undefined) return list.has(interpreter) ? 'allow' : denied(interpreter)
    const reason = unjudgeable(call, analysis, true)
    if (reason !== undefined) return { deny: reason }
    const { commands, functions } = analysis
    for (const { name } of commands) {
      if (name === undefined || hasName(list, name) || SHELL_BUILTINS.has(name)) continue
      if (functions.includes(name) && !STRANDS_PROGRAMS.has(name)) continue
      return denied(name)
    }
    return 'allow'
  }
  const denied = (name: string) => ({
    deny: `${name} may not be run here. Allowed: ${allowed.join(', ') || 'no program'}.`,
  })
  return Object.assign(policy, { rules: Object.freeze({ allowed }) })
}
