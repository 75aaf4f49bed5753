import type { EngineSource } from '../../contract/lease.ts'
import { EngineUnavailableError } from '../../sandbox/errors.ts'
import { resolveBubblewrap } from '../find-bubblewrap.ts'
import { type HostEngine, WORKER_SPACE } from '../host-engine.ts'

/** The heap of a worker that drives jails, in MiB. */
const HEAP = 256

/** Descriptors of one jail: its pipes and files, and its process. */
const DESCRIPTORS = 20

/** bubblewrap, as it is installed on this machine. */
export const jailEngine: HostEngine = {
  name: 'jail',
  key: 'jail',
  heapMegabytes: HEAP,
  terminable: true,
  handsOverDescriptors: true,
  needsWayOut: true,
  checkpointForm: 'jail, none',
  // A thread may keep a spare one.
  needs: (isFirst) =>
    isFirst
      ? { descriptors: 3 * DESCRIPTORS, tasks: 0, addressSpace: WORKER_SPACE + HEAP * 2 ** 20 }
      : { descriptors: 2 * DESCRIPTORS, tasks: 0, addressSpace: 0 },
  blank: {
    engine: 'jail',
    binds: [],
    credentials: [],
    allowedUrls: [],
    env: [],
    cwd: '/',
    interpreter: 'bash',
    root: '/',
    tmpfs: 2 ** 20,
    limits: { maxOutput: 1, maxFileSize: 1, maxProcesses: 100, maxMemory: 2 ** 26, maxOpenFiles: 100 },
  },
  find: findJail,
  forget: () => undefined,
  // Its threads need nothing of the process.
  beginBuild: () => undefined,
  endBuild: () => undefined,
}

/**
 * Where jails are made with on this machine.
 *
 * @throws {EngineUnavailableError} where there are none, with the reason and the remedy
 */
export async function findJail(): Promise<EngineSource> {
  const finding = await resolveBubblewrap()
  if (!finding.ok) throw new EngineUnavailableError(`No jail: ${finding.reason} ${finding.remedy}`)
  const { program, filter } = finding
  return { engine: 'jail', kind: 'program', path: program, filter }
}
