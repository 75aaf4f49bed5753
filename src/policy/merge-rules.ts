import type { PolicyRules } from '../contract/policy-rules.ts'

/** The rules that hold what each of several rules holds; undefined where nothing is refused. */
export function mergeRules(all: readonly PolicyRules[]): PolicyRules | undefined {
  const lists = all.flatMap(({ allowed }) => (allowed === undefined ? [] : [allowed]))
  const [first, ...others] = lists
  const denied = unique(all.flatMap((rules) => rules.denied ?? []))
  const places = unique(
    all.flatMap((rules) => [...(rules.protectedPaths ?? []), ...(rules.writablePaths ?? [])]),
  )
  // Between two places that are named nothing changes: what holds for a place holds for all below it, up to the next one.
  const isWritable = (place: string) => all.every((rules) => lets(rules, place))
  const merged: PolicyRules = {
    ...(first === undefined
      ? {}
      : { allowed: first.filter((name) => others.every((list) => list.includes(name))) }),
    ...(denied.length === 0 ? {} : { denied }),
    ...some(
      'protectedPaths',
      places.filter((place) => !isWritable(place)),
    ),
    ...some('writablePaths', places.filter(isWritable)),
  }
  return Object.keys(merged).length === 0 ? undefined : merged
}

/** Whether rules let a path be written: the longest of their places that hold it decides, of two that are equal the protected one. */
function lets({ protectedPaths = [], writablePaths = [] }: PolicyRules, path: string): boolean {
  const longest = (places: readonly string[]) =>
    Math.max(-1, ...places.filter((place) => holds(place, path)).map((place) => place.length))
  const guarded = longest(protectedPaths)
  return guarded === -1 || longest(writablePaths) > guarded
}

function holds(place: string, path: string): boolean {
  return place === '/' || path === place || path.startsWith(`${place}/`)
}

function some<const Name extends string>(name: Name, list: readonly string[]) {
  return list.length === 0 ? {} : { [name]: list }
}

function unique(list: readonly string[]): readonly string[] {
  return [...new Set(list)]
}
