import { isClosedDirectory } from '../../contract/engine-directories.ts'
import type { StartRecord } from '../../contract/shell-record.ts'
import { refuse } from '../../sandbox/arguments.ts'
import { fieldPath } from '../../sandbox/field-path.ts'

/**
 * Refuses what a session could put nothing into: the engine takes no new entries in some of its own directories.
 *
 * @throws SandboxConfigError naming the field
 */
export function refuseClosed({ directories = [], writable = [] }: StartRecord): void {
  for (const { path } of directories) requireOpen(path, fieldPath(['files', path]))
  for (const [index, path] of writable.entries()) requireOpen(path, `writable[${index}]`)
}

function requireOpen(path: string, field: string): void {
  if (!isClosedDirectory(path)) return
  const below = path === '/' ? '/work' : `${path}/work`
  throw refuse(
    field,
    `must not be ${path}: the engine takes no new entries there. Name a directory below it, like "${below}".`,
  )
}
