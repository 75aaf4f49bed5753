import type { ShellSettings } from '../build-shell.ts'
import type { NativeShell } from '../native-shell.ts'
import { CheckpointPlaces } from './places.ts'
import { ShellCheckpoint } from './shell-checkpoint.ts'

/** What makes and takes the checkpoints of a shell. */
export function openCheckpoint(
  shell: NativeShell,
  { bindDestinations, places }: Pick<ShellSettings, 'bindDestinations' | 'places'>,
): ShellCheckpoint {
  return new ShellCheckpoint(shell, new CheckpointPlaces(bindDestinations, places))
}
