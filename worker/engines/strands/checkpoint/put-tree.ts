import type { TreeRecord } from '../../../../src/contract/shell-record.ts'
import { errorMessage } from '../../../service/error-message.ts'
import { FarError } from '../../../service/far-error.ts'
import type { ShellSettings } from '../build-shell.ts'
import type { NativeShell } from '../native-shell.ts'
import { CheckpointPlaces } from './places.ts'
import { restoreFiles } from './restore-files.ts'

/** Puts the files of a snapshot into a shell that has none. @throws FarError naming a path that it does not take */
export async function putTree(
  shell: NativeShell,
  { entries, contents }: TreeRecord,
  { bindDestinations, places }: Pick<ShellSettings, 'bindDestinations' | 'places'>,
): Promise<void> {
  const bytes = new Map(contents.map((content) => [content.id, content.bytes]))
  try {
    await restoreFiles(shell, new CheckpointPlaces(bindDestinations, places), entries, bytes)
  } catch (error) {
    throw new FarError({
      code: 'INVALID_CONFIG',
      field: 'snapshot',
      message: `snapshot: ${errorMessage(error)}`,
    })
  }
}
