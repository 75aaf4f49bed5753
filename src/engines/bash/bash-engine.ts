import type { EngineSource } from '../../contract/lease.ts'
import { type HostEngine, WORKER_SPACE } from '../host-engine.ts'
import { forgetJustBash, JUST_BASH_VERSION, resolveJustBash } from './find-just-bash.ts'

/** What a worker needs besides the memory of its sessions, in MiB. */
const baseHeap = 128

const mebibyte = 2 ** 20

/** Functions are trees of just-bash that this package has rewritten. Raise the number with a change that makes older ones wrong. */
const CHECKPOINT_FORM = `just-bash ${JUST_BASH_VERSION}, 1`

/** just-bash, as it is installed beside this package. @param maxMemory - bytes of a session. */
export function bashEngine(maxMemory: number): HostEngine {
  return {
    ...common(maxMemory),
    find: async () => ({ engine: 'bash', kind: 'module', path: await resolveJustBash() }),
    forget: forgetJustBash,
  }
}

/** just-bash where somebody else has found it. @param maxMemory - bytes of a session. */
export function bashEngineAt(source: EngineSource, maxMemory: number): HostEngine {
  return {
    ...common(maxMemory),
    find: () => Promise.resolve(source),
    forget: () => undefined,
  }
}

function common(maxMemory: number): Omit<HostEngine, 'find' | 'forget'> {
  const megabytes = Math.ceil(maxMemory / mebibyte)
  const heapMegabytes = baseHeap + megabytes
  return {
    name: 'bash',
    key: `bash ${megabytes}`,
    heapMegabytes,
    terminable: true,
    checkpointForm: CHECKPOINT_FORM,
    // It loads some thirty modules at once.
    needs: (isFirst) =>
      isFirst
        ? { descriptors: 40, tasks: 0, addressSpace: WORKER_SPACE + heapMegabytes * mebibyte }
        : { descriptors: 4, tasks: 0, addressSpace: 0 },
    blank: {
      engine: 'bash',
      binds: [],
      credentials: [],
      allowedUrls: [],
      env: [],
      cwd: '/',
      python: false,
      commands: [],
      limits: { maxOutput: 1, maxFileSize: 1, maxFileSystem: mebibyte, maxMemory },
    },
    // Its threads need nothing of the process.
    beginBuild: () => undefined,
    endBuild: () => undefined,
  }
}
