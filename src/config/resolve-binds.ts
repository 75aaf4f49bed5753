import { resolve } from 'node:path'
import type * as v from 'valibot'
import type { BindRecord } from '../contract/shell-record.ts'
import { SandboxConfigError } from '../sandbox/errors.ts'
import type { binds, jailBinds } from './bind-schema.ts'

/** Completes parsed binds: absolute sources, every default in place. Frozen. */
export function resolveBinds(parsed: v.InferOutput<typeof binds | typeof jailBinds>): readonly BindRecord[] {
  return Object.freeze(
    parsed.map(({ source, destination, mode = 'direct', readonly = false, exclude = [] }, index) =>
      Object.freeze({
        source: hostPath(source, `binds[${index}].source`),
        destination,
        mode,
        readonly,
        ...(exclude.length === 0 ? {} : { exclude: Object.freeze(exclude) }),
      }),
    ),
  )
}

/** The absolute path of a path of the host. @throws SandboxConfigError naming `field` where it cannot be told */
export function hostPath(path: string, field: string): string {
  try {
    return resolve(path)
  } catch (cause) {
    throw new SandboxConfigError(
      `Invalid sandbox config: ${field} is relative, and the working directory of this process is gone. Use an absolute path.`,
      { field, cause },
    )
  }
}
