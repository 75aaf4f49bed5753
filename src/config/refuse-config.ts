import type * as v from 'valibot'
import { SandboxConfigError } from '../sandbox/errors.ts'
import { fieldPath } from '../sandbox/field-path.ts'

const MAX_PROBLEMS = 10

const credentialKeys: ReadonlySet<unknown> = new Set([
  'url',
  'token',
  'envVar',
  '__proto__',
  'constructor',
  'prototype',
])

/** The error of a config that does not fit its schema: it names each field at fault, and never the value of a token. */
export function refuseConfig(
  issues: readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]],
): SandboxConfigError {
  const problems = issues.map((issue) => {
    const keys = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)))
    if (keys[0] === 'credentials' && keys.length === 3 && !credentialKeys.has(keys[2])) {
      // A key may be a token that came on the wrong side.
      const field = fieldPath(keys.slice(0, 2))
      return { field, text: `${field} has a key that ${issue.message}` }
    }
    const field = fieldPath(keys)
    return { field, text: `${field} ${issue.message}` }
  })
  const texts = problems.slice(0, MAX_PROBLEMS).map(({ text }) => text)
  const left = problems.length - texts.length
  const message =
    problems.length === 1
      ? `Invalid sandbox config: ${texts.join()}`
      : [`Invalid sandbox config, ${problems.length} problems:`, ...texts.map((text) => `- ${text}`)]
          .concat(left === 0 ? [] : [`- and ${left} more.`])
          .join('\n')
  return new SandboxConfigError(message, { field: problems[0]?.field ?? 'config' })
}
