import type { FilePatch, PatchName } from './patch-text.ts'

/** A name without its first `strip` directories; without all of them where it is undefined. Undefined where it has too few. */
export function strippedName({ path }: PatchName, strip: number | undefined): string | undefined {
  if (path === undefined) return undefined
  if (strip === undefined) return path.slice(path.lastIndexOf('/') + 1)
  let rest = path
  for (let count = 0; count < strip; count += 1) {
    const slash = /\/+/.exec(rest)
    if (slash === null) return undefined
    rest = rest.slice(slash.index + slash[0].length)
  }
  return rest === '' ? undefined : rest
}

/** The names that a patch has for its file. One that leaves the directory is none. */
export function namesOf({ before, after, renamed }: FilePatch, strip: number | undefined): string[] {
  const names =
    renamed === undefined ? [before, after].map((name) => strippedName(name, strip)) : [renamed[0]]
  return names.filter((name): name is string => name !== undefined && isInside(name))
}

const isInside = (path: string): boolean => !path.startsWith('/') && !path.split('/').includes('..')

/** The file that a patch changes: of its names that exist the shortest, or a new one where it makes its file. */
export async function targetOf(
  names: readonly string[],
  makesFile: boolean,
  exists: (path: string) => Promise<boolean>,
): Promise<string | undefined> {
  const found: string[] = []
  for (const name of names) if (await exists(name)) found.push(name)
  if (found.length > 0) return shortest(found)
  return makesFile ? shortest(names) : undefined
}

/** The name with the fewest directories, then the shortest last part, then the shortest; of alike ones the first. */
function shortest(names: readonly string[]): string | undefined {
  const sizes = (name: string) => [name.split('/').length, name.length - name.lastIndexOf('/'), name.length]
  return names.toSorted((one, other) => {
    const sizesOfOther = sizes(other)
    return (
      sizes(one)
        .map((size, at) => size - (sizesOfOther[at] ?? 0))
        .find((difference) => difference !== 0) ?? 0
    )
  })[0]
}
