import type { Skipped } from '../../../service/skipped-fact.ts'
import type { NativeShell } from '../native-shell.ts'
import { type Bound, CheckpointPlaces } from './places.ts'
import { ShellCheckpoint } from './shell-checkpoint.ts'

/** What makes and takes the checkpoints of a shell. */
export function openCheckpoint(
  shell: NativeShell,
  { skipped, ...bound }: Bound & { readonly skipped: Skipped },
): ShellCheckpoint {
  return new ShellCheckpoint(shell, new CheckpointPlaces(bound), skipped)
}
