import { isShell } from '../analyze/call-analysis.ts'
import type { Policy } from '../types.ts'
import { refuseFileOperation } from './file-writes.ts'
import { Protection } from './paths.ts'
import { refuseScript } from './script-writes.ts'

/** A policy that lets no call write below paths, but below exceptions. */
export function protecting(protectedPaths: readonly string[], writablePaths: readonly string[]): Policy {
  const protection = new Protection(protectedPaths, writablePaths)
  const policy: Policy = (call, analysis) => {
    const reason = reasonOf(call, analysis, protection)
    return reason === undefined ? 'allow' : { deny: reason }
  }
  return Object.assign(policy, { rules: Object.freeze({ protectedPaths, writablePaths }) })
}

function reasonOf(
  call: Parameters<Policy>[0],
  analysis: Parameters<Policy>[1],
  protection: Protection,
): string | undefined {
  if (call.kind === 'file') return refuseFileOperation(call, protection)
  if (call.kind === 'code' && !isShell(call.language)) {
    return call.sandbox.shell === 'bash'
      ? undefined
      : `${call.language}: what code of another language writes is only known at run time. Use commands of the shell.`
  }
  return refuseScript(call, analysis, protection)
}
