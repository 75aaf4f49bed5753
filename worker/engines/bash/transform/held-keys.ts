/** An element whose index expands to more than one parameter: `g[$x,$y]`, `m["$a b"]`. */
const ELEMENT = /([A-Za-z_]\w*)\[("?)([^\]["`(]*\$[^\]["`(]*)\2\]/g

/** An index that is one parameter. */
const ONE = /^\$(?:\w+|\{[^}]*\})$/

/**
 * `((g[$x,$y]++))` as `{ __a…="$x,$y"; ((g[$__a…]++)); }`: just-bash computes the index, also where it is the key of a map.
 *
 * @param text - the expression.
 * @param first - the number of the first name.
 * @returns undefined where there is no such index
 */
export function withHeldKeys(text: string, first = 900_000): string | undefined {
  const before: string[] = []
  const held = text.replaceAll(ELEMENT, (all, name: string, _quote, index: string) => {
    if (ONE.test(index)) return all
    const holder = `__a${first + before.length}`
    before.push(`${holder}="${index}"; `)
    return `${name}[$${holder}]`
  })
  return before.length === 0 ? undefined : `{ ${before.join('')}((${held})); }`
}
