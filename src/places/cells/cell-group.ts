import { ControlGroup } from '../../control-groups/control-group.ts'
import { systemGroupParents } from '../../control-groups/group-parents.ts'

/** Threads and processes of a cell without sandboxes, and of each sandbox: more than commands of agents take. */
const OWN_TASKS = 256
const SANDBOX_TASKS = 64

/** Bytes over `maxCellMemory` at which the kernel ends a cell: the host, which looks ten times a second, ends it before, as a rule. */
const MORE_MEMORY = 2 ** 28

/**
 * The control group of a cell in a jail; undefined where the machine lets this process make none.
 *
 * @param maxMemory - bytes.
 * @throws the system's error where it cannot be made after all
 */
export function cellGroup(sandboxes: number, maxMemory: number): ControlGroup | undefined {
  const parents = systemGroupParents()
  if (parents === undefined) return undefined
  const processes = OWN_TASKS + SANDBOX_TASKS * sandboxes
  return new ControlGroup(parents, { processes, memory: maxMemory + MORE_MEMORY })
}
