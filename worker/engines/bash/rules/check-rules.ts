import { posix } from 'node:path'
import type { PolicyRules } from '../../../../src/contract/policy-rules.ts'
import { FarError } from '../../../service/far-error.ts'

const FIELDS = ['allowed', 'denied', 'protectedPaths', 'writablePaths'] as const

const isName = (text: string) => text !== '' && !text.includes('\0')

const isPath = (text: string) =>
  text.startsWith('/') &&
  isName(text) &&
  posix.normalize(text) === text &&
  (text === '/' || !text.endsWith('/'))

/** @throws FarError `INVALID_CONFIG` with the field `rules.allowed[0]` or the like */
export function checkRules(rules: PolicyRules): void {
  for (const field of Object.keys(rules))
    if (!FIELDS.some((known) => known === field)) throw wrong(`rules.${field}`, `one of ${FIELDS.join(', ')}`)
  for (const field of FIELDS) {
    const list: unknown = rules[field]
    if (list === undefined) continue
    if (!Array.isArray(list)) throw wrong(`rules.${field}`, 'an array')
    const ofPaths = field === 'protectedPaths' || field === 'writablePaths'
    for (const [at, text] of list.entries()) {
      if (typeof text !== 'string' || !isName(text)) throw wrong(`rules.${field}[${at}]`, 'a text')
      if ((ofPaths || text.includes('/')) && !isPath(text))
        throw wrong(
          `rules.${field}[${at}]`,
          'an absolute path without . and .. and without a slash at its end',
        )
    }
  }
}

function wrong(field: string, expected: string): FarError {
  return new FarError({ code: 'INVALID_CONFIG', field, message: `${field}: expected ${expected}.` })
}
