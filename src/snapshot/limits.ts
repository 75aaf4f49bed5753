import { optionsOf, within } from '../sandbox/options-of.ts'

/** The bounds of bytes that are read as a snapshot. None can be switched off. Sizes are bytes. */
export interface SnapshotLimits {
  /**
   * Size of the bytes as they come.
   *
   * @default 536870912 (512 MiB)
   */
  readonly maxBytes?: number | undefined
  /**
   * Size of what they hold once it is unpacked.
   *
   * @default 536870912 (512 MiB)
   */
  readonly maxUnpackedBytes?: number | undefined
  /**
   * Size of the manifest: names of files, variables and functions.
   *
   * @default 134217728 (128 MiB)
   */
  readonly maxManifestBytes?: number | undefined
  /**
   * Files, directories and links.
   *
   * @default 500000
   */
  readonly maxFiles?: number | undefined
}

const mebibyte = 2 ** 20

const defaults: { [Name in keyof SnapshotLimits]-?: number } = {
  maxBytes: 512 * mebibyte,
  maxUnpackedBytes: 512 * mebibyte,
  maxManifestBytes: 128 * mebibyte,
  maxFiles: 500_000,
}

/** The bounds, all of them set. */
export type ResolvedLimits = Readonly<typeof defaults>

const names = Object.keys(defaults).filter((name) => isName(name))

function isName(name: string): name is keyof ResolvedLimits {
  return Object.hasOwn(defaults, name)
}

/** Reads each bound once. @throws SandboxConfigError naming the one that is not valid */
export function resolveLimits(limits: unknown = {}): ResolvedLimits {
  const given = optionsOf<SnapshotLimits>(limits, names, 'limits')
  const resolved = { ...defaults }
  for (const name of names) {
    const value = given[name]
    if (value === undefined) continue
    const range = { least: 1, most: Number.MAX_SAFE_INTEGER, isWhole: true }
    resolved[name] = within(`limits.${name}`, value, range)
  }
  return resolved
}
