import type { ApplyReport, ChangeReport, FileChange } from '../contract/shell-api.ts'
import { listOf, matches, objectOf, oneOf, text } from '../sandbox/schema-parts.ts'
import { conflictsSchema } from './outcome-schema.ts'

const changeReportSchema = objectOf<ChangeReport>({
  mark: text,
  changes: listOf(
    objectOf<FileChange>({
      bind: text,
      path: text,
      kind: oneOf<FileChange['kind']>({ file: true, directory: true, link: true }),
      change: oneOf<FileChange['change']>({ added: true, changed: true, removed: true }),
    }),
  ),
})

const applyReportSchema = objectOf<ApplyReport>({
  written: listOf(text),
  removed: listOf(text),
  conflicts: conflictsSchema,
})

/** True for a report of what the sandbox did to its binds. */
export function isChangeReport(value: unknown): value is ChangeReport {
  return matches(changeReportSchema, value)
}

/** True for a report of what was written to the host. */
export function isApplyReport(value: unknown): value is ApplyReport {
  return matches(applyReportSchema, value)
}
