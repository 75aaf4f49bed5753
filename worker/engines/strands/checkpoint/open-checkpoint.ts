import type { Skipped } from '../../../service/skipped-fact.ts'
import { type Bound, CheckpointPlaces } from './places.ts'
import { type CheckpointedSession, ShellCheckpoint } from './shell-checkpoint.ts'

/** What makes and takes the checkpoints of a shell. */
export function openCheckpoint(
  session: CheckpointedSession,
  { skipped, handsOver, ...bound }: Bound & { readonly skipped: Skipped; readonly handsOver: boolean },
): ShellCheckpoint {
  return new ShellCheckpoint(session, new CheckpointPlaces(bound), { skipped, follows: handsOver })
}
