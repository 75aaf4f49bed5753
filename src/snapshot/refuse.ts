import { SnapshotError, type SnapshotFault } from '../sandbox/errors.ts'

/** @param problem - a sentence that goes on from "The snapshot". */
export function refuseSnapshot(fault: SnapshotFault, problem: string, cause?: unknown): SnapshotError {
  return new SnapshotError(`The snapshot ${problem}`, cause === undefined ? { fault } : { fault, cause })
}
