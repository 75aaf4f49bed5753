import type { EngineName } from '../contract/lease.ts'
import type { ScriptAnalysis } from '../policy/analysis.ts'
import { analyzeScript } from '../policy/analyze/analyze-script.ts'
import { type Decision, decide } from '../policy/decide.ts'
import type { PolicyCall } from '../policy/types.ts'
import { withApprover } from '../policy/with-approver.ts'
import { errorMessage } from '../sandbox/kinds.ts'
import { foreignText } from '../sandbox/message-text.ts'
import { EXIT } from './exit-codes.ts'
import { commandOfWords } from './options/command-text.ts'
import { readPolicyFile } from './options/policy-file.ts'
import type { Outputs } from './output.ts'
import { writeRecord } from './records.ts'

/** The options of `policy`, as commander hands them over. */
export interface PolicyOptions {
  readonly file: string
  readonly shell?: EngineName
  readonly label?: readonly (readonly [key: string, value: string])[]
  readonly cwd?: string
  readonly json?: boolean
}

/** Tells what policies decide on a command, and what it says of itself; gives the exit code. */
export async function policy(
  words: readonly string[],
  { file, shell = 'bash', label = [], cwd, json = false }: PolicyOptions,
  { stdout, stderr }: Outputs,
): Promise<number> {
  const policies = await readPolicyFile('--file', file)
  const sandbox = { id: undefined, labels: Object.fromEntries(label), shell, generation: 1 }
  const call: PolicyCall = { sandbox, kind: 'command', command: commandOfWords(words), cwd }
  const decision = await decide(
    policies.map((one) => withApprover(one, () => true)),
    call,
  )
  const verdict = verdictOf(decision)
  const command = decision.allow && decision.call.kind === 'command' ? decision.call.command : call.command
  const analysis = analyzeScript(command)
  const reason = decision.allow ? undefined : decision.reason
  if (!decision.allow && decision.cause !== undefined) {
    await stderr.write(`The policy failed: ${foreignText(errorMessage(decision.cause))}\n`)
  }
  if (json) await writeRecord(stdout, { verdict, reason, command, analysis })
  else {
    const title = reason === undefined ? verdict : `${verdict}: ${reason}`
    const changed = command === call.command ? [] : [`runs instead: ${command}`]
    const lines = [title, ...changed, ...linesOf(analysis)]
    await stdout.write(lines.map((line) => `${foreignText(line).replaceAll('\n', '\\n')}\n`).join(''))
  }
  return { allowed: 0, asks: EXIT.asks, denied: EXIT.denied }[verdict]
}

function verdictOf(decision: Decision): 'allowed' | 'denied' | 'asks' {
  if (!decision.allow) return 'denied'
  return decision.approved ? 'asks' : 'allowed'
}

function linesOf({
  commands,
  redirects,
  assignments,
  functions,
  substitutions,
  opaque,
}: ScriptAnalysis): readonly string[] {
  return [
    ...commands.map(({ text, via }) => `command: ${text}${via === undefined ? '' : ` (run by ${via})`}`),
    ...redirects.map(({ mode, path = 'a file only known at run time' }) => `${mode}: ${path}`),
    ...assignments.map(({ name, value = 'only known at run time' }) => `assigns: ${name}=${value}`),
    ...functions.map((name) => `function: ${name}`),
    ...substitutions.map((text) => `substitution: ${text}`),
    ...opaque.map(({ kind, text }) => `only known at run time (${kind}): ${text}`),
  ]
}
