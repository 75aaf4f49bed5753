import type { ApplyReport, ChangeReport, ConflictData } from '../contract/shell-api.ts'

/** A worker's conflict with its declared fields and no others. */
export function toConflict({ path, hostPath, kept }: ConflictData): ConflictData {
  return { path, hostPath, ...(kept === undefined ? {} : { kept }) }
}

/** A worker's report with its declared fields and no others. */
export function toChangeReport({ mark, changes }: ChangeReport): ChangeReport {
  return { mark, changes: changes.map(({ bind, path, kind, change }) => ({ bind, path, kind, change })) }
}

/** A worker's report with its declared fields and no others. */
export function toApplyReport({ written, removed, conflicts }: ApplyReport): ApplyReport {
  return { written: [...written], removed: [...removed], conflicts: conflicts.map(toConflict) }
}
