import type { ScriptAnalysis } from '../analysis.ts'
import { isShell } from '../analyze/call-analysis.ts'
import type { PolicyCall } from '../types.ts'
import { baseName } from './names.ts'
import { opaqueReason, shown } from './opaque-reason.ts'

/**
 * Why a script cannot be judged by its text alone, in a sandbox whose engine enforces no rules: Strands Shell and jails.
 * Undefined where it can be.
 */
export function unjudgeable(
  call: PolicyCall,
  { opaque, commands, assignments }: ScriptAnalysis,
  allowsLanguages = false,
): string | undefined {
  if (call.sandbox.shell === 'bash') return undefined
  const part = opaque.find(({ kind }) => kind !== 'language' || !allowsLanguages)
  if (part !== undefined) return opaqueReason(part)
  const alias = commands.find(({ name }) => name === 'alias')
  if (alias !== undefined && alias.args.length > 0) {
    return `${shown(alias.text)}: an alias changes what later commands are. Write the command itself.`
  }
  const path = assignments.find(({ name }) => name === 'PATH')
  if (path !== undefined) return 'PATH: it changes which programs later commands run. Leave it as it is.'
  const inner = commands.find(({ name, args }) => runsText(name, args))
  if (inner !== undefined) {
    return `${shown(inner.text)}: the shell may read a script inside another one in its own way. Write the commands themselves.`
  }
  return undefined
}

/** Programs that read a text as a script: Strands Shell itself reads it, and in places not as bash does. */
const RUN_TEXT: ReadonlySet<string> = new Set(['eval', 'sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'trap'])

/** What every shell reads in one way. */
const PLAIN = /^[\w\s./,:=@%+'"*;|&>-]*$/

function runsText(name: string | undefined, args: readonly (string | undefined)[]): boolean {
  const base = baseName(name ?? '')
  if (!RUN_TEXT.has(base)) return false
  // A script that is no word is the input.
  if (base !== 'eval' && base !== 'trap' && !args.some((arg) => arg !== undefined && /^-\w*c\w*$/.test(arg)))
    return true
  return !args.every((arg) => arg !== undefined && PLAIN.test(arg))
}

/** The program that runs the code of a call; undefined for a script of the shell, and for other calls. */
export function interpreterOf(call: PolicyCall): string | undefined {
  return call.kind === 'code' && !isShell(call.language) ? call.language : undefined
}
