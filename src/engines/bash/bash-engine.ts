import type { EngineSource } from '../../contract/lease.ts'
import type { HostEngine } from '../host-engine.ts'
import { forgetJustBash, resolveJustBash } from './find-just-bash.ts'

/** What a worker needs besides the memory of its sessions, in MiB. */
const baseHeap = 128

const mebibyte = 2 ** 20

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
  return {
    name: 'bash',
    key: `bash ${megabytes}`,
    heapMegabytes: baseHeap + megabytes,
    terminable: true,
    // It loads some thirty modules at once.
    needs: { first: { descriptors: 40, tasks: 0 }, again: { descriptors: 4, tasks: 0 } },
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
