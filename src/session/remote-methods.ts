import type * as Comlink from 'comlink'
import type { ShellApi } from '../contract/shell-api.ts'

/** The proxies of a shell's methods. */
export type RemoteMethods = { readonly [K in keyof ShellApi]: Comlink.Remote<ShellApi>[K] }

/** Takes the proxy of each method once: Comlink makes a new one at every property access. */
export function remoteMethods(remote: Comlink.Remote<ShellApi>): RemoteMethods {
  return {
    run: remote.run,
    runMany: remote.runMany,
    runCode: remote.runCode,
    readFile: remote.readFile,
    writeFile: remote.writeFile,
    removeFile: remote.removeFile,
    appendFile: remote.appendFile,
    makeDirectory: remote.makeDirectory,
    move: remote.move,
    copy: remote.copy,
    listFiles: remote.listFiles,
    stat: remote.stat,
    getEnv: remote.getEnv,
    setEnv: remote.setEnv,
    describe: remote.describe,
    changes: remote.changes,
    applyChanges: remote.applyChanges,
    checkpoint: remote.checkpoint,
    restore: remote.restore,
    interrupt: remote.interrupt,
    openBlocking: remote.openBlocking,
    cancelBlocking: remote.cancelBlocking,
    cancel: remote.cancel,
    close: remote.close,
  }
}
