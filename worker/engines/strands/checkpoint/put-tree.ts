import type { TreeRecord } from '../../../../src/contract/shell-record.ts'
import { errorMessage } from '../../../service/error-message.ts'
import { FarError } from '../../../service/far-error.ts'
import type { NativeShell } from '../native-shell.ts'
import { type Bound, CheckpointPlaces } from './places.ts'
import { restoreFiles } from './restore-files.ts'

/** Puts the files of a snapshot into a shell that has none. @throws FarError naming a path that it does not take */
export async function putTree(
  shell: NativeShell,
  { entries, contents }: TreeRecord,
  bound: Bound,
): Promise<void> {
  const bytes = new Map(contents.map((content) => [content.id, content.bytes]))
  try {
    await restoreFiles(shell, new CheckpointPlaces(bound), entries, bytes)
  } catch (error) {
    throw new FarError({
      code: 'INVALID_CONFIG',
      field: 'snapshot',
      message: `snapshot: ${errorMessage(error)}`,
    })
  }
}
