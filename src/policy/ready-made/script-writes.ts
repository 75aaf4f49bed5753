import { SHELL_BUILTINS } from '../../contract/shell-builtins.ts'
import type { AnalyzedCommand, AnalyzedRedirect, ScriptAnalysis } from '../analysis.ts'
import type { PolicyCall } from '../types.ts'
import { refuseWriter } from './command-writes.ts'
import { protectedReason } from './file-writes.ts'
import { unjudgeable } from './judged-text.ts'
import { shown } from './opaque-reason.ts'
import { type Protection, resolved } from './paths.ts'
import { STRANDS_PROGRAMS } from './strands-programs.ts'
import { unknownPlace, type WritePlace } from './write-place.ts'

/** Why a script may not run; undefined where it writes nothing that is protected, or its engine refuses that. */
export function refuseScript(
  call: Exclude<PolicyCall, { readonly kind: 'file' }>,
  analysis: ScriptAnalysis,
  protection: Protection,
): string | undefined {
  const isBash = call.sandbox.shell === 'bash'
  const { commands, redirects, functions } = analysis
  const moves = commands.some(movesAway)
  const ofMachine = call.sandbox.shell === 'jail'
  const place = { protection, directory: moves ? undefined : call.cwd, ofMachine }
  for (const redirect of redirects) {
    const reason = refuseRedirect(redirect, place, isBash)
    if (reason !== undefined) return reason
  }
  if (isBash) return undefined
  const reason = unjudgeable(call, analysis)
  if (reason !== undefined) return reason
  for (const command of commands) {
    const { name, text } = command
    if (name === undefined) return `${shown(text)}: which command this runs is only known at run time.`
    const isFunction = functions.includes(name) && !STRANDS_PROGRAMS.has(name)
    if (isFunction || (SHELL_BUILTINS.has(name) && !STRANDS_PROGRAMS.has(name))) continue
    const refusal = refuseWriter(command, place)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

/** Whether relative paths may be those of another directory after a command, or in it. */
function movesAway({ name, args }: AnalyzedCommand): boolean {
  return MOVERS.has(name ?? '') || args.includes('-execdir') || args.includes('-okdir')
}

const MOVERS: ReadonlySet<string> = new Set(['cd', 'pushd', 'popd', 'env', 'sudo'])

function refuseRedirect(
  { mode, path }: AnalyzedRedirect,
  { protection, directory }: WritePlace,
  isBash: boolean,
): string | undefined {
  if (mode === 'read' || (path !== undefined && STREAM.test(path))) return undefined
  const place = path === undefined ? undefined : resolved(path, directory)
  if (path !== undefined && place !== undefined)
    return protection.holds(place) ? protectedReason(path) : undefined
  return isBash ? undefined : unknownPlace(path ?? 'The target of a redirect')
}

const STREAM = /^\/dev\/(?:null|stdin|stdout|stderr|tty|fd\/\d+)$/
