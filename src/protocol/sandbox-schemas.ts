import * as v from 'valibot'
import { ISOLATION_LEVELS } from '../contract/isolation.ts'
import { ENGINE_NAMES } from '../contract/lease.ts'
import type { SandboxSummary } from '../hosted-sandbox/summary.ts'
import { summarySchema } from './summary-schema.ts'

const labels = v.record(v.string(), v.string())

/** What opens a sandbox. */
export const openSchema = v.strictObject({
  template: v.pipe(v.optional(v.string(), 'default'), v.description('The name of a config of the service.')),
  labels: v.pipe(
    v.optional(labels, {}),
    v.description('Labels of the sandbox. Those of the token are added, and count first.'),
  ),
})

/** What opens a sandbox that there is not. */
export const createSchema = v.strictObject({
  ...openSchema.entries,
  id: v.pipe(
    v.optional(v.string()),
    v.description(
      'What the sandbox is known by among those of tokens with the same labels: 1 to 80 bytes. Without it the service makes one.',
    ),
  ),
})

/** A sandbox, as lists have it. */
export const sandboxSchema = v.object({
  id: v.pipe(
    v.string(),
    v.description('What the token calls it: its id; its key where it is of a tenant with other labels.'),
  ),
  template: v.string(),
  shell: v.picklist(ENGINE_NAMES),
  labels,
  createdAt: v.pipe(v.number(), v.description('Milliseconds since the epoch.')),
  status: v.pipe(
    v.picklist(['new', 'opening', 'open', 'lost', 'hibernated', 'closed', 'stored']),
    v.description('stored: it is in the store, and this process has not used it yet.'),
  ),
  generation: v.pipe(
    v.number(),
    v.description('The number of its session, from 1; 0 where this process has not used it.'),
  ),
  pending: v.pipe(v.number(), v.description('Calls that have not settled.')),
  isolation: v.optional(v.picklist(ISOLATION_LEVELS)),
  memory: v.pipe(
    v.optional(v.object({ bytes: v.number(), sandboxes: v.number() })),
    v.description(
      'Resident memory of the process that the sandbox is in, in bytes, and how many sandboxes that process has. Absent where it has no process besides that of the service, and where the system does not tell.',
    ),
  ),
  lastUsedAt: v.pipe(v.optional(v.number()), v.description('Milliseconds since the epoch.')),
  lastCommand: v.pipe(
    v.optional(
      v.object({
        execution: v.string(),
        command: v.string(),
        state: v.picklist(['running', 'ended', 'failed']),
        exitCode: v.optional(v.number()),
        problem: v.optional(v.string()),
      }),
    ),
    v.description('The last command through this service.'),
  ),
})

/** A sandbox that was asked for by itself. */
export const oneSandboxSchema = v.object({
  ...sandboxSchema.entries,
  summary: v.pipe(
    v.optional(summarySchema),
    v.description('What tools tell a model of the sandbox. Absent where this process has not used it.'),
  ),
})

/** A page of a list. */
export const sandboxesSchema = v.object({
  sandboxes: v.array(sandboxSchema),
  next: v.pipe(v.optional(v.string()), v.description('The after of the next page; absent on the last one.')),
})

/** What a fork is called. */
export const forkSchema = v.strictObject({ id: v.optional(v.string()) })

/** A sandbox as data. */
export type SandboxData = v.InferOutput<typeof sandboxSchema>

/** The same of one that was asked for by itself. */
export type OneSandboxData = SandboxData & { readonly summary?: SandboxSummary }
