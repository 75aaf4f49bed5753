import { MENDS } from '../mends.ts'
import { type Edit, edited, joined, type Piece } from './pieces.ts'

/** The ES module of just-bash as the body of a function, with our mends. */
export interface PreparedBundle {
  /** Of the module's text. */
  readonly pieces: readonly Piece[]
  /** What it imports as it is loaded. */
  readonly imports: readonly string[]
}

/** What the body calls for what it imports as it is loaded, for what it imports later, and its address. */
const [MODULE, LATER, ADDRESS] = ['$module', '$import', '$url'] as const

/**
 * Searches the text of just-bash for the places of its mends, its imports and its exports.
 *
 * @throws {TypeError} where the place of a mend is not there once
 */
export function prepare(source: string): PreparedBundle {
  const mended = edited([[0, source.length]], mendsOf(source))
  const text = joined(mended, source)
  const { edits, imports } = ofModule(text)
  return { pieces: edited(mended, edits), imports: [...imports] }
}

function mendsOf(source: string): Edit[] {
  return MENDS.flatMap(({ places }) => places).map(([from, to]) => {
    const start = source.indexOf(from)
    if (start < 0 || source.includes(from, start + 1))
      throw new TypeError(`just-bash has not once what is mended: ${from}`)
    return { start, end: start + from.length, to }
  })
}

/** What makes a function body of a module: it gets what it imports, and returns what it exports. */
function ofModule(text: string): { readonly edits: Edit[]; readonly imports: ReadonlySet<string> } {
  const edits: Edit[] = []
  const imports = new Set<string>()
  const replace = (pattern: RegExp, to: (...groups: string[]) => string) => {
    for (const match of text.matchAll(pattern)) {
      const [all, ...groups] = match
      edits.push({ start: match.index, end: match.index + all.length, to: to(...groups) })
    }
  }
  const module = (name: string) => {
    imports.add(name)
    return `${MODULE}(${JSON.stringify(name)})`
  }
  replace(/import\{([^}]*)\}\s*from"([^"]*)";/g, (names = '', from = '') => {
    return `const{${names.replaceAll(' as ', ':')}}=${module(from)};`
  })
  replace(/import\*as ([\w$]+) from"([^"]*)";/g, (name = '', from = '') => `const ${name}=${module(from)};`)
  replace(
    /import ([\w$]+) from"([^"]*)";/g,
    (name = '', from = '') => `const ${name}=${module(from)}.default;`,
  )
  replace(/import"([^"]*)";/g, (from = '') => {
    imports.add(from)
    return ''
  })
  replace(/(?<![\w$.])import\(/g, () => `${LATER}(`)
  replace(/import\.meta\.url/g, () => ADDRESS)
  replace(/export\{([^}]*)\};\s*$/g, (names = '') => {
    const entries = names.split(',').map((name) => name.split(' as '))
    return `return{${entries.map(([local, exported = local]) => `${exported}:${local}`).join(',')}};`
  })
  return { edits, imports }
}
