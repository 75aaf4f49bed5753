import type { BindRecord } from '../../../../src/contract/shell-record.ts'

/** What of a path is below a directory: `''`, or begins with a slash. */
const below = (path: string, directory: string): string | undefined =>
  path === directory ? '' : path.startsWith(`${directory}/`) ? path.slice(directory.length) : undefined

/** Where else the host's files of a path can be written: live binds may have sources of which one holds the other. */
export function otherPlaces(path: string, binds: readonly BindRecord[]): readonly string[] {
  const live = binds.filter(({ mode, readonly }) => mode === 'direct' && !readonly)
  return live.flatMap((bind) => {
    const rest = below(bind.destination, path) === undefined ? below(path, bind.destination) : ''
    if (rest === undefined) return []
    const source = `${bind.source}${rest}`
    return live.flatMap((other) => {
      if (other === bind) return []
      if (below(other.source, source) !== undefined) return [other.destination]
      const inOther = below(source, other.source)
      return inOther === undefined ? [] : [`${other.destination}${inOther}`]
    })
  })
}
