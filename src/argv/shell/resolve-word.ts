import { posix } from 'node:path'
import { below, realPath } from '../real-path.ts'
import type { Place, ResolvedWord } from './place.ts'

/** Takes a word for a path from the workdir: the real one where there is a host, else as it is written. */
export function resolveWord(word: string, place: Place): ResolvedWord {
  const path = posix.resolve(place.workdir, word)
  const written = below(posix.resolve(place.workdir), path)
  if (place.hostWorkdir === undefined) return { path, inside: written === undefined ? undefined : [written] }
  try {
    return resolveOnHost(word, path, written, place.workdir, place.hostWorkdir)
  } catch {
    // Where it leads cannot be told, so that it may lead anywhere.
    return { path, inside: undefined }
  }
}

function resolveOnHost(
  word: string,
  path: string,
  written: string | undefined,
  workdir: string,
  hostWorkdir: string,
): ResolvedWord {
  const root = realPath(hostWorkdir)
  const isSamePath = workdir === hostWorkdir
  if (!isSamePath && written === undefined) return { path, inside: undefined }
  const target = realPath(isSamePath ? hostPath(word, workdir) : `${hostWorkdir}/${written}`)
  const real = below(root, target)
  const shown = isSamePath ? target : path
  if (real === undefined) return { path: shown, inside: undefined }
  return { path: shown, inside: written === undefined ? [real] : [real, written] }
}

/** Not normalized: `link/..` is the parent of what the link leads to. */
function hostPath(word: string, workdir: string): string {
  return posix.isAbsolute(word) ? word : `${workdir}/${word}`
}
