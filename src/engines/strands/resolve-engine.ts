import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { EngineSource } from '../../contract/lease.ts'
import { SandboxError } from '../../sandbox/errors.ts'
import { isExhausted } from '../../sandbox/exhaustion.ts'
import { errorMessage } from '../../sandbox/kinds.ts'
import { findPackage, type InstalledPackage } from '../find-package.ts'
import { assertTrustedPackage, type SearchPlaces, searchPlaces } from '../search-places.ts'
import { makeLoadable } from './addon.ts'
import { type PlatformFacts, platformFacts } from './platform.ts'
import { ADDON, engineUnavailable, WRAPPER } from './unavailable.ts'

/** The engine this process uses, and how it was found. */
export interface ResolvedEngine {
  /** What a worker loads. The file of a `package` may be CommonJS or an ES module: load it with `import()`. */
  readonly source: EngineSource
  /** The version of the package it comes from. */
  readonly version: string
  readonly packageName: string
  /** `weak-copy`: a private copy of the addon that also loads on this machine's older glibc. */
  readonly how: 'package' | 'addon' | 'weak-copy'
  /** The file that was installed; differs from `source.path` for a weak copy. */
  readonly originalPath: string
}

/** Where to look for an engine, and on which machine. */
export interface EngineSearch extends SearchPlaces {
  readonly env: NodeJS.ProcessEnv
  readonly facts: PlatformFacts
}

const ADDON_FILE = 'strands-shell.linux-x64-gnu.node'

let resolved: Promise<ResolvedEngine> | undefined

/**
 * Finds this machine's engine, once a process: `@strands-agents/shell` where it is installed, else its
 * Linux addon, as a private copy where glibc is older than the addon asks for. Loads nothing. A failure
 * is not kept: the next call looks again.
 * @throws EngineUnavailableError naming platform, libc, addon, reason and remedy.
 */
export function resolveEngine(): Promise<ResolvedEngine> {
  if (resolved === undefined) {
    const search = platformFacts().then((facts) => findEngine({ ...searchPlaces(), env: process.env, facts }))
    resolved = search
    search.catch(() => {
      if (resolved === search) resolved = undefined
    })
  }
  return resolved
}

/** Has the next {@link resolveEngine} look again: what was found could not be loaded. */
export function forgetEngine(): void {
  resolved = undefined
}

/** {@link resolveEngine} for a given search, without its memory. */
export async function findEngine(search: EngineSearch): Promise<ResolvedEngine> {
  const { facts } = search
  try {
    for (const base of search.bases) {
      const wrapper = findPackage(WRAPPER, base)
      if (wrapper !== undefined) return await fromWrapper(wrapper, search, base)
      const addon = hasAddon(facts) ? findPackage(ADDON, base) : undefined
      if (addon !== undefined) return await fromAddon(addon, search, base)
    }
  } catch (error) {
    if (error instanceof SandboxError || isExhausted(error)) throw error
    throw engineUnavailable(facts, {
      reason: `it could not be read: ${errorMessage(error)}`,
      remedy: `Install it again: npm install ${ADDON}`,
      cause: error,
    })
  }
  if (hasAddon(facts)) {
    throw engineUnavailable(facts, {
      reason: 'it is not installed (an install that omits optional packages skips it)',
      remedy: `Install it: npm install ${ADDON}`,
    })
  }
  throw engineUnavailable(facts, {
    reason: 'it runs on Linux x64 with glibc only',
    remedy: `If the engine has a build for this platform, install that: npm install ${WRAPPER}`,
  })
}

/** Whether the addon has a build for this machine; a libc that could not be told gets its chance. */
function hasAddon({ platform, arch, libc }: PlatformFacts): boolean {
  return platform === 'linux' && arch === 'x64' && libc !== 'musl'
}

/** The wrapper, unless the addon it would load needs a weak copy: then that copy. */
async function fromWrapper(
  wrapper: InstalledPackage,
  search: EngineSearch,
  base: string,
): Promise<ResolvedEngine> {
  await assertOurs(wrapper, search, base)
  const addon = hasAddon(search.facts) ? addonOf(wrapper) : undefined
  const engine = addon === undefined ? undefined : await fromAddon(addon, search, base)
  if (engine?.how === 'weak-copy') return engine
  return {
    source: { engine: 'strands', kind: 'package', path: wrapper.entry },
    version: wrapper.version,
    packageName: wrapper.name,
    how: 'package',
    originalPath: wrapper.entry,
  }
}

function addonOf(wrapper: InstalledPackage): InstalledPackage | undefined {
  const inside = join(wrapper.directory, ADDON_FILE)
  return existsSync(inside) ? { ...wrapper, entry: inside } : findPackage(ADDON, wrapper.entry)
}

async function fromAddon(
  addon: InstalledPackage,
  search: EngineSearch,
  base: string,
): Promise<ResolvedEngine> {
  await assertOurs(addon, search, base)
  const { path, how } = await makeLoadable(addon.entry, search.facts, search.env)
  return {
    source: { engine: 'strands', kind: 'addon', path },
    version: addon.version,
    packageName: addon.name,
    how,
    originalPath: addon.entry,
  }
}

async function assertOurs(found: InstalledPackage, search: EngineSearch, base: string): Promise<void> {
  try {
    await assertTrustedPackage(found, base, search)
  } catch (cause) {
    throw engineUnavailable(search.facts, {
      addon: found.entry,
      reason: errorMessage(cause),
      remedy: `Install it beside the application: npm install ${found.name}`,
      cause,
    })
  }
}
