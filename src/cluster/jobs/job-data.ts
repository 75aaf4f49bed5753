import * as v from 'valibot'
import { resultSchema } from '../../protocol/execution-schemas.ts'
import { problemSchema } from '../../protocol/problem.ts'

const bytes = v.strictObject({ base64: v.string() })

/** What a job is, as the queue has it. */
export const jobSchema = v.strictObject({
  command: v.string(),
  template: v.string(),
  files: v.optional(v.record(v.string(), bytes)),
  stdin: v.optional(bytes),
  collect: v.optional(v.array(v.string())),
  timeout: v.optional(v.number()),
})

/** What came of a job, as the queue has it. */
export const outcomeSchema = v.union([
  v.strictObject({ result: resultSchema }),
  v.strictObject({ problem: problemSchema }),
])

/** A job as data. */
export type JobData = v.InferOutput<typeof jobSchema>

/** What came of a job, as data. */
export type JobOutcome = v.InferOutput<typeof outcomeSchema>

/** The name of the queue, behind the prefix of the cluster. */
export const QUEUE = 'runs'
