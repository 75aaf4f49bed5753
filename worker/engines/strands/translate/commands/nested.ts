import type { Named } from './command.ts'

/** Options of `xargs` whose value is the next word. */
const VALUED = /^-[nLIdPsE]$/

/** The commands that `xargs` and `find` run, as far as they are literal. Names of files are added when they run. */
export function nestedIn({ node, name, words, literals }: Named): readonly Named[] {
  const places = name === 'xargs' ? ofXargs(literals) : name === 'find' ? ofFind(literals) : []
  return places.flatMap(([from, to]) => {
    const [nameWord, inner] = [words[from], literals[from]]
    if (nameWord === undefined || inner === undefined) return []
    return {
      node,
      nameWord,
      name: inner,
      words: words.slice(from + 1, to),
      literals: literals.slice(from + 1, to),
    }
  })
}

/** A range of words: the index of the name, and that behind the last word. */
type Words = readonly [from: number, to: number]

function ofXargs(literals: Named['literals']): Words[] {
  for (let at = 0; at < literals.length; at++) {
    const literal = literals[at]
    if (literal === '--') return [[at + 1, literals.length]]
    if (literal?.startsWith('-') !== true) return [[at, literals.length]]
    if (VALUED.test(literal)) at++
  }
  return []
}

function ofFind(literals: Named['literals']): Words[] {
  return literals.flatMap((literal, at) => {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(literal ?? '')) return []
    const end = literals.findIndex((one, index) => index > at && (one === ';' || one === '+'))
    return [[at + 1, end === -1 ? literals.length : end]]
  })
}

/** What `xargs -I` replaces; undefined without it. */
export function replacedBy({ literals }: Named): string | undefined {
  const at = literals.findIndex((literal) => literal?.startsWith('-I') === true)
  return literals[at] === '-I' ? literals[at + 1] : literals[at]?.slice(2)
}
