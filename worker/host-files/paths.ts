/** What the absolute paths below a directory begin with. */
export function prefixOf(directory: string): string {
  return directory === '/' ? '/' : `${directory}/`
}

/** The directory of a path below a mirror's root; that of a name at the top is the root, `''`. */
export function parentOf(rel: string): string {
  return rel.slice(0, Math.max(0, rel.lastIndexOf('/')))
}

/** The directories that lead to a path below a mirror's root, from the top, without the root. */
export function ancestorsOf(rel: string): string[] {
  const ancestors: string[] = []
  for (let slash = rel.indexOf('/'); slash >= 0; slash = rel.indexOf('/', slash + 1)) {
    ancestors.push(rel.slice(0, slash))
  }
  return ancestors
}

/** How many directories lead to a path. */
export function depthOf(rel: string): number {
  return ancestorsOf(rel).length
}
