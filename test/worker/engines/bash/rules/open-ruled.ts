import { onTestFinished } from 'vitest'
import type { PolicyRules } from '../../../../../src/contract/policy-rules.ts'
import type { BashRecord } from '../../../../../src/contract/shell-record.ts'
import type { EngineShell } from '../../../../../worker/service/engine-shell.ts'
import { openShell } from '../open-shell.ts'

export const file = (path: string, text: string) => [path, Buffer.from(text)] as const

/** A shell in `/work` with rules, or without. */
export async function openRuled(
  rules: PolicyRules | undefined,
  record: Partial<BashRecord> = {},
): Promise<EngineShell> {
  const shell = await openShell({ cwd: '/work', ...record, ...(rules === undefined ? {} : { rules }) })
  onTestFinished(() => shell.close())
  return shell
}

/** What is said of a command that is refused. */
export const sentence = (name: string) =>
  `${name}: not allowed by the policy of this sandbox: do without it\n`
