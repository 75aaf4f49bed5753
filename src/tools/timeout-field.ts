import { MAX_TIMEOUT } from '../sandbox/arguments.ts'
import type { ToolKit } from './tool-kit.ts'
import { z } from './zod.ts'

/** The `timeout` of a command, as a model is asked for it. */
export function timeoutField({ summary, options }: ToolKit) {
  const limit = summary?.timeout
  const standard = options.timeout === undefined ? "the sandbox's own limit" : `${options.timeout}`
  const most = limit === undefined ? '' : ` More than ${limit} has no effect.`
  return z
    .number()
    .positive()
    .max(MAX_TIMEOUT)
    .optional()
    .describe(`Seconds after which the call times out. Default: ${standard}.${most}`)
}
