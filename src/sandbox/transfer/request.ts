import { resolve } from 'node:path'
import { refuse, requirePath, resolveLimits } from '../arguments.ts'
import { optionsOf, within } from '../options-of.ts'
import { kindOf } from '../show-value.ts'

/** Options of {@link Sandbox.importDirectory} and {@link Sandbox.exportDirectory}. */
export interface TransferOptions {
  /**
   * `.gitignore` patterns of what is left out, relative to the directory. What they match is neither counted nor reported.
   *
   * @default [] (nothing is left out)
   */
  readonly exclude?: readonly string[] | undefined
  /**
   * The most files, directories and skipped entries together: a whole number of at most 1000000.
   *
   * @default 10000
   */
  readonly maxFiles?: number | undefined
  /**
   * The most bytes of all files together: a whole number.
   *
   * @default 268435456 (256 MiB)
   */
  readonly maxBytes?: number | undefined
  /**
   * Rejects the call with `SandboxAbortError` when it is aborted. What was copied before stays.
   *
   * @default undefined (none)
   */
  readonly signal?: AbortSignal | undefined
  /**
   * Called after each file and directory. What it throws rejects the call.
   *
   * @default undefined (none)
   */
  readonly onProgress?: ((progress: TransferProgress) => void) | undefined
}

/** How far a transfer has come. */
export interface TransferProgress {
  /** Files that were copied. */
  readonly files: number
  /** Directories that were made or found, the topmost one not counted. */
  readonly directories: number
  /** Bytes of these files. */
  readonly bytes: number
  /** What was copied last, relative to the directory. */
  readonly path: string
}

/**
 * Why something was not copied: `'link'`: it is a link; `'special'`: it is a device, a pipe or a socket; `'name'`: the other side
 * can have no such name, or the listing has it twice; `'denied'`: it may not be read; `'gone'`: it was removed, or became
 * something else, in the meantime; `'size'`: it is larger than `limits.maxFileSize` of the sandbox; `'taken'`: on the other side
 * there is a directory in place of a file, or anything else in place of a directory; `'depth'`: it is more than 100 directories deep.
 */
export type SkipReason = 'link' | 'special' | 'name' | 'denied' | 'gone' | 'size' | 'taken' | 'depth'

/** Something that was not copied; of a directory, nothing in it was. */
export interface SkippedEntry {
  /** Relative to the directory. Names of a sandbox are the agent's: they may hold any character. */
  readonly path: string
  /** Why it was not copied. */
  readonly reason: SkipReason
}

/** What a transfer has copied. */
export interface TransferReport {
  /** Files that were copied. */
  readonly files: number
  /** Directories that were made or found, the topmost one not counted. */
  readonly directories: number
  /** Bytes of these files. */
  readonly bytes: number
  /** What was not copied, and why, in the order in which it was met. */
  readonly skipped: readonly SkippedEntry[]
}

/** A transfer, validated; absent options are absent. */
export interface TransferRequest {
  /** Absolute. */
  readonly hostPath: string
  /** In the sandbox. */
  readonly path: string
  readonly exclude: readonly string[]
  readonly maxFiles: number
  readonly maxBytes: number
  readonly signal?: AbortSignal
  readonly onProgress: (progress: TransferProgress) => void
}

const known = ['exclude', 'maxFiles', 'maxBytes', 'signal', 'onProgress'] as const

/** @throws SandboxConfigError naming the argument or option that is not valid */
export function resolveTransfer(hostPath: unknown, path: unknown, options: unknown = {}): TransferRequest {
  const {
    exclude,
    maxFiles = 10_000,
    maxBytes = 2 ** 28,
    signal,
    onProgress,
  } = optionsOf<TransferOptions>(options, known)
  return {
    hostPath: resolve(requirePath(hostPath, 'hostPath')),
    path: requirePath(path),
    exclude: requirePatterns(exclude),
    maxFiles: within('maxFiles', maxFiles, { least: 1, most: 1_000_000, isWhole: true }),
    maxBytes: within('maxBytes', maxBytes, {
      least: 0,
      most: Number.MAX_SAFE_INTEGER,
      unit: 'bytes',
      isWhole: true,
    }),
    ...resolveLimits(undefined, signal),
    onProgress: requireListener(onProgress),
  }
}

function requirePatterns(exclude: unknown = []): readonly string[] {
  if (!Array.isArray(exclude)) {
    throw refuse('exclude', `must be an array of .gitignore patterns, but is ${kindOf(exclude)}.`)
  }
  return exclude.map((pattern: unknown, index) => {
    if (typeof pattern === 'string' && pattern !== '' && !/[\r\n]/.test(pattern)) return pattern
    throw refuse(
      `exclude[${index}]`,
      `must be a .gitignore pattern, such as "node_modules/", but is ${kindOf(pattern)}.`,
    )
  })
}

function requireListener(listener: unknown): (progress: TransferProgress) => void {
  if (listener === undefined) return () => undefined
  if (typeof listener === 'function') return (progress) => void Reflect.apply(listener, undefined, [progress])
  throw refuse('onProgress', `must be a function, but is ${kindOf(listener)}.`)
}
