import * as v from 'valibot'
import { findEnvFault } from '../sandbox/env.ts'
import { plainObject } from './rules.ts'

/** The schema of variables; its output has them as pairs. */
export const env = v.pipe(
  plainObject('a plain object of variable names and strings'),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const entries = Object.entries(dataset.value)
    const pairs: (readonly [name: string, value: string])[] = []
    for (const [key, value] of entries) {
      const fault = findEnvFault(key, value)
      if (fault === undefined && typeof value === 'string') pairs.push([key, value])
      else {
        addIssue({
          message: fault,
          path: [{ type: 'object', origin: 'value', input: dataset.value, key, value }],
        })
      }
    }
    return pairs.length === entries.length ? pairs : NEVER
  }),
)
