import type { Policy } from '../types.ts'
import { interpreterOf, unjudgeable } from './judged-text.ts'
import { hasName, programNames } from './names.ts'

/**
 * Lets all but these programs run, by their names, such as `curl`, or their absolute paths. A name is denied wherever it stands:
 * in functions, in `$(…)`, after `xargs`, `find -exec`, `env`, `command`. Code of another language (`executeCode`) is denied
 * where its name is listed.
 *
 * Bash refuses the programs where they are dispatched, whatever the text says. In Strands Shell and in jails the text alone is
 * judged: what is only known at run time (`$x`, `eval "$x"`, `sh FILE`, `. FILE`), `lua`, `alias` and a new `PATH` are denied.
 *
 * It cannot see other programs that do the same: who denies `rm` has not denied `find -delete`, `mv` or `: > file`. A list of
 * what is allowed is the safer one. In a jail many programs run others: `tar`, `git`, `sed`. It does not judge redirects, or
 * calls that read and write files.
 *
 * @throws {SandboxConfigError} with the field `names` where they are no names of programs
 */
export function denyCommands(names: readonly string[]): Policy {
  const denied = programNames(names)
  const list: ReadonlySet<string> = new Set(denied)
  const policy: Policy = (call, analysis) => {
    if (call.kind === 'file') return 'allow'
    const language = call.kind === 'code' ? call.language : undefined
    if (language !== undefined && list.has(language)) return { deny: `${language} may not be run here.` }
    const found = analysis.commands.find(({ name }) => name !== undefined && hasName(list, name))
    if (found?.name !== undefined) return { deny: `${found.name} may not be run here.` }
    if (interpreterOf(call) !== undefined && call.sandbox.shell === 'bash') return 'allow'
    const reason = unjudgeable(call, analysis)
    return reason === undefined ? 'allow' : { deny: reason }
  }
  return Object.assign(policy, { rules: Object.freeze({ denied }) })
}
