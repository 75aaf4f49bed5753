import type { ShellDescription } from '../../../src/contract/shell-api.ts'
import type { ShellSettings } from './build-shell.ts'
import type { Mirroring } from './mirroring.ts'
import type { NativeShell } from './native-shell.ts'
import { STAMP_DIRECTORY } from './stamp-directory.ts'
import { TRANSLATION_DIRECTORY } from './translate/directory.ts'

const OWN_PLACES: ReadonlySet<string> = new Set([STAMP_DIRECTORY, TRANSLATION_DIRECTORY])

/**
 * The engine's config as its users may see it: the declared fields and no others, with the runtime's own limits. A
 * mirrored bind is shown as its config has it, not as the place that the engine was given for it.
 */
export async function describeShell(
  shell: NativeShell,
  settings: ShellSettings,
  mirroring: Mirroring | undefined,
): Promise<ShellDescription> {
  const { binds, credentials, allowedUrls, env, umask, timeout, limits } =
    (await shell.config()) as ShellDescription
  const given = new Map(settings.binds.map((bind) => [bind.destination, bind]))
  const { maxOutput, mirror } = settings
  return {
    binds: binds.flatMap((bind) => {
      const { source, destination, mode, readonly, exclude } = given.get(bind.destination) ?? bind
      if (OWN_PLACES.has(bind.destination) || settings.places.has(bind.destination)) return []
      return [{ source, destination, mode, readonly, ...(exclude === undefined ? {} : { exclude }) }]
    }),
    credentials: credentials.map(({ url, kind }) => ({ url, kind })),
    allowedUrls,
    env,
    umask,
    timeout,
    limits: { ...limits, maxOutput, mirrorMaxFiles: mirror.maxFiles, mirrorMaxBytes: mirror.maxBytes },
    skipped: [...settings.skipped, ...(mirroring?.skipped() ?? [])],
  }
}
