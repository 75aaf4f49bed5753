import ignore from 'ignore'

/** Tells which paths of a bind are excluded: by `.gitignore` patterns, and the places of other binds inside it. */
export function createExclude(
  patterns: readonly string[],
  inner: readonly string[],
): (rel: string, isDirectory: boolean) => boolean {
  const isInner = (rel: string) => inner.some((place) => rel === place || rel.startsWith(`${place}/`))
  if (patterns.length === 0) return inner.length === 0 ? () => false : isInner
  const rules = ignore({ ignorecase: false }).add([...patterns])
  return (rel, isDirectory) => rel !== '' && (isInner(rel) || rules.ignores(isDirectory ? `${rel}/` : rel))
}
