import { pathToFileURL } from 'node:url'
import type { EngineSource } from '../../contract/lease.ts'
import type { HostEngine } from '../host-engine.ts'
import { findJustBash } from './find-just-bash.ts'

/** What a worker needs besides the memory of its sessions, in MiB. */
const baseHeap = 128

const mebibyte = 2 ** 20

/** just-bash, as it is installed beside this package. @param maxMemory - bytes of a session. */
export function bashEngine(maxMemory: number): HostEngine {
  return {
    ...common(maxMemory),
    find: async () => ({ engine: 'bash', kind: 'module', path: findJustBash(bases()) }),
    forget: () => undefined,
  }
}

/** just-bash where somebody else has found it. */
export function bashEngineAt(source: EngineSource, heapMegabytes: number): HostEngine {
  return {
    ...common((heapMegabytes - baseHeap) * mebibyte),
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
    blank: {
      engine: 'bash',
      binds: [],
      credentials: [],
      allowedUrls: [],
      env: [],
      files: [],
      cwd: '/',
      python: false,
      limits: { maxOutput: 1, maxFileSize: 1, maxFileSystem: mebibyte, maxMemory },
    },
    // Its threads need nothing of the process.
    beginBuild: () => undefined,
    endBuild: () => undefined,
  }
}

/** This package first, then the application. */
function bases(): readonly string[] {
  const application = pathToFileURL(`${process.cwd()}/_`).href
  // A bundle in CommonJS form has no `import.meta.url`.
  return import.meta.url ? [import.meta.url, application] : [application]
}
