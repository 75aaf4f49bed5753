import { isSafeLink } from './entry.ts'
import { isTemporaryName } from './names.ts'
import type { SandboxEntry } from './types.ts'

/** Why an entry is never written to the host; `undefined` if it may be. */
export function reasonToWithhold(rel: string, { kind, target = '' }: SandboxEntry): string | undefined {
  if (kind === 'link' && !isSafeLink(rel, target)) return 'link that leads out'
  return rel.split('/').some(isTemporaryName) ? 'name kept for temporary files' : undefined
}
