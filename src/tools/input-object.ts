import type { z as zod } from 'zod'
import { findUnknownOption } from '../sandbox/unknown-option.ts'
import { z } from './zod.ts'

/** The input of a tool. A name that is not in it is refused, with the near one: it would say what nobody does, such as `cwd`. */
export function inputObject<Shape extends zod.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape)
  return z.strictObject(shape, {
    error: ({ code, input }) => {
      if (code !== 'unrecognized_keys' || typeof input !== 'object' || input === null) return undefined
      const fault = findUnknownOption(input, known)
      return fault && `${fault.field} ${fault.problem}`
    },
  })
}
