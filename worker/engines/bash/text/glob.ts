/** A pattern of file names as an expression: `*` and `?` match slashes too. */
export function globPattern(glob: string): RegExp {
  const source = glob.replaceAll(
    /\\([\s\S])|\[([!^]?)(\]?[^\]]*)\]|[\s\S]/g,
    (whole, escaped, negated, set) => {
      if (escaped !== undefined) return literal(escaped)
      if (set !== undefined)
        return `[${negated === '' ? '' : '^'}${String(set).replaceAll(/[\\[\]]/g, '\\$&')}]`
      return whole === '*' ? '.*' : whole === '?' ? '.' : literal(whole)
    },
  )
  return new RegExp(`^${source}$`, 's')
}

const literal = (text: string) => text.replaceAll(/[\^$\\.*+?()[\]{}|/]/g, '\\$&')
