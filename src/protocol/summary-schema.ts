import * as v from 'valibot'
import { ISOLATION_LEVELS, NETWORK_MODES } from '../contract/isolation.ts'
import { ENGINE_NAMES } from '../contract/lease.ts'
import type { SandboxSummary } from '../hosted-sandbox/summary.ts'

const texts = v.array(v.string())

/** What can be said of a sandbox before it is opened: no token, and no path of the host. */
export const summarySchema = v.object({
  shell: v.picklist(ENGINE_NAMES),
  directory: v.pipe(v.string(), v.description('The directory that a session begins in.')),
  writable: v.pipe(
    texts,
    v.description('Directories of its config that can be written, besides home and /tmp.'),
  ),
  python: v.pipe(v.boolean(), v.description('Whether there is python3.')),
  commands: v.array(v.object({ name: v.string(), description: v.string() })),
  isolation: v.picklist(ISOLATION_LEVELS),
  network: v.pipe(
    v.optional(v.picklist(NETWORK_MODES)),
    v.description('What it reaches of the network. Absent where its host does not tell.'),
  ),
  binds: v.array(
    v.object({
      destination: v.string(),
      mode: v.picklist(['copy', 'direct', 'passthrough', 'overlay']),
      readonly: v.boolean(),
    }),
  ),
  allowedUrls: texts,
  credentialUrls: v.pipe(texts, v.description('The addresses below which requests get a token.')),
  timeout: v.pipe(v.optional(v.number()), v.description('Seconds a command may run.')),
  onInterrupt: v.picklist(['keep', 'reset', 'restore']),
  onLost: v.picklist(['reopen', 'fail', 'restore']),
  hasConfigFile: v.boolean(),
})

/** A summary as data. */
export type SummaryData = v.InferOutput<typeof summarySchema>

/** A summary that came as data, as tools read it. */
export function toSummary({ network, timeout, ...summary }: SummaryData): SandboxSummary {
  return { ...summary, network, timeout }
}
