import * as v from 'valibot'

/** Fields that commands and code have in common. */
const callEntries = {
  timeout: v.optional(
    v.pipe(
      v.number(),
      v.description('Seconds after which the call ends with the problem TIMEOUT: above 0, at most 86400.'),
    ),
  ),
  cwd: v.optional(v.pipe(v.string(), v.description('The directory it starts in.'))),
  env: v.optional(
    v.pipe(v.record(v.string(), v.string()), v.description('Environment variables for this call only.')),
  ),
  secretEnv: v.optional(
    v.pipe(v.record(v.string(), v.string()), v.description('As env; events show *** for the values.')),
  ),
  stdin: v.optional(
    v.pipe(
      v.union([v.string(), v.strictObject({ base64: v.string() })]),
      v.description('Standard input: text, or bytes as base64. At most 64 MiB.'),
    ),
  ),
}

/** The body of a command. */
export const commandSchema = v.strictObject({
  command: v.pipe(v.string(), v.description('The command, as the shell of the sandbox reads it.')),
  ...callEntries,
})

/** The body of code. */
export const codeSchema = v.strictObject({
  code: v.string(),
  language: v.pipe(v.string(), v.description('The name of the interpreter, such as python3.')),
  ...callEntries,
})

const byteCount = v.pipe(v.number(), v.integer(), v.minValue(0))

/** What a command left behind. */
export const resultSchema = v.object({
  type: v.literal('executionResult'),
  exitCode: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(255)),
  stdout: v.string(),
  stderr: v.string(),
  outputFiles: v.array(v.object({ name: v.string(), base64: v.string(), mimeType: v.string() })),
  timedOut: v.boolean(),
  truncated: v.union([
    v.literal(false),
    v.object({ stdout: v.optional(byteCount), stderr: v.optional(byteCount) }),
  ]),
  durationMs: v.pipe(v.number(), v.minValue(0)),
})

/** A piece of output in a stream. */
export const chunkSchema = v.object({
  type: v.literal('streamChunk'),
  streamType: v.picklist(['stdout', 'stderr']),
  data: v.string(),
})

/** One execution of a sandbox, as its timeline has it. */
export const executionSchema = v.object({
  id: v.string(),
  sandbox: v.pipe(v.string(), v.description('The id of the sandbox.')),
  by: v.pipe(v.string(), v.description('The name of the token that asked for it.')),
  command: v.pipe(v.string(), v.description('The command or the code: its first 4096 characters.')),
  language: v.pipe(v.optional(v.string()), v.description('The language of code; absent for a command.')),
  startedAt: v.pipe(v.number(), v.description('Milliseconds since the epoch.')),
  state: v.picklist(['running', 'ended', 'failed']),
  durationMs: v.pipe(
    v.optional(v.number()),
    v.description('Milliseconds from the call to its end; absent while it runs.'),
  ),
  exitCode: v.optional(v.number()),
  timedOut: v.optional(v.boolean()),
  problem: v.pipe(v.optional(v.string()), v.description('The code of the problem that it ended with.')),
  stdout: v.pipe(v.string(), v.description('The last 16384 characters of standard output.')),
  stderr: v.pipe(v.string(), v.description('The last 16384 characters of standard error.')),
  cut: v.pipe(v.boolean(), v.description('Whether there was more output.')),
})

/** One execution, as data. */
export type ExecutionData = v.InferOutput<typeof executionSchema>
/** A command as data. */
export type CommandBody = v.InferOutput<typeof commandSchema>
/** Code as data. */
export type CodeBody = v.InferOutput<typeof codeSchema>
/** A result as data. */
export type ResultData = v.InferOutput<typeof resultSchema>
