import type { ShellDescription } from '../src/contract/shell-api.ts'
import type { NativeShell } from './native-shell.ts'

/** The engine's config as its users may see it: the declared fields and no others, with their own output cap. */
export async function describeShell(shell: NativeShell, maxOutput: number): Promise<ShellDescription> {
  const { binds, credentials, allowedUrls, env, umask, timeout, limits } =
    (await shell.config()) as ShellDescription
  return {
    binds: binds.map(({ source, destination, mode, readonly }) => ({ source, destination, mode, readonly })),
    credentials: credentials.map(({ url, kind }) => ({ url, kind })),
    allowedUrls,
    env,
    umask,
    timeout,
    limits: { ...limits, maxOutput },
  }
}
