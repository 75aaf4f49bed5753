import * as v from 'valibot'
import { executionSchema } from './execution-schemas.ts'
import { problemSchema } from './problem.ts'

/** The protocol of the terminal's web socket. A page offers it, and `bearer.` with its token in base64url. */
export const TERMINAL_PROTOCOL = 'strands-shell.terminal.v1'

/** What a client of a terminal sends. */
export const terminalRequestSchema = v.variant('type', [
  v.strictObject({
    type: v.literal('run'),
    command: v.string(),
    timeout: v.optional(v.number()),
  }),
  v.strictObject({ type: v.literal('stop'), execution: v.string() }),
])

/** What a client of a terminal is sent. */
const terminalEventSchema = v.variant('type', [
  v.object({ type: v.literal('ready'), sandbox: v.string(), mayRun: v.boolean() }),
  v.object({ type: v.literal('started'), execution: executionSchema }),
  v.object({
    type: v.literal('output'),
    execution: v.string(),
    streamType: v.picklist(['stdout', 'stderr']),
    data: v.string(),
  }),
  v.object({ type: v.literal('ended'), execution: executionSchema }),
  v.object({ type: v.literal('problem'), problem: problemSchema }),
])

/** What a client of a terminal sends. */
export type TerminalRequest = v.InferOutput<typeof terminalRequestSchema>
/** What a client of a terminal is sent. */
export type TerminalEvent = v.InferOutput<typeof terminalEventSchema>
