import { type FileHandle, open } from 'node:fs/promises'
import { closing } from '../../async/closing.ts'
import { isExhausted } from '../../sandbox/exhaustion.ts'
import { CACHE_VARIABLE, cacheDirectories } from './cache-directory.ts'
import { readVersionRequirements, type VersionRequirement } from './elf.ts'
import type { PlatformFacts } from './platform.ts'
import { engineUnavailable } from './unavailable.ts'
import { ensureWeakCopy, WeakCopyError } from './weak-copy.ts'

/** An addon that loads on this machine: the file itself, or a private copy of it. */
export interface LoadableAddon {
  readonly path: string
  readonly how: 'addon' | 'weak-copy'
}

/**
 * Makes sure that an addon can be loaded here. A version that the machine's libraries lack is made weak
 * in a private copy if the addon binds only weak symbols to it, which its code then does without.
 * @throws EngineUnavailableError if it needs a version that the machine lacks, or no copy can be kept.
 */
export async function makeLoadable(
  addon: string,
  facts: PlatformFacts,
  env: NodeJS.ProcessEnv,
): Promise<LoadableAddon> {
  return closing(await open(addon, 'r'), (source) => loadableFrom(source, { addon, facts, env }))
}

interface AddonPlace {
  readonly addon: string
  readonly facts: PlatformFacts
  readonly env: NodeJS.ProcessEnv
}

async function loadableFrom(source: FileHandle, { addon, facts, env }: AddonPlace): Promise<LoadableAddon> {
  const unmet = await facts.libraries.unmet(await readVersionRequirements(source))
  if (unmet.length === 0) return { path: addon, how: 'addon' }
  const needed = unmet.filter((requirement) => !requirement.onlyWeakSymbols)
  if (needed.length > 0) {
    throw engineUnavailable(facts, {
      addon,
      reason: `it needs ${versionsOf(needed)}, which this machine lacks`,
      remedy: 'Use a system image with a newer glibc.',
    })
  }
  try {
    const path = await ensureWeakCopy({ source, requirements: unmet, directories: cacheDirectories(env) })
    return { path, how: 'weak-copy' }
  } catch (error) {
    if (!(error instanceof WeakCopyError)) throw error
    const exhausted: unknown = error.errors.find(isExhausted)
    if (exhausted !== undefined) throw exhausted
    throw engineUnavailable(facts, {
      addon,
      reason: `it asks for ${versionsOf(unmet)}, which this machine lacks, and no directory can hold a copy that does without: ${error.message}`,
      remedy: `Set ${CACHE_VARIABLE} to a directory that belongs to this user, that nobody else can write or exchange, and that has 16 MiB free on a file system that allows execution.`,
      cause: error,
    })
  }
}

function versionsOf(requirements: readonly VersionRequirement[]): string {
  return requirements.map(({ library, version }) => `${version} of ${library}`).join(', ')
}
