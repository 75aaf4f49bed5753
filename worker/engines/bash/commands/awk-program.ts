/** Thrown for what this awk would do wrong. */
export class AwkRefusal extends Error {}

const HELPER = `
function __match(s, re, a, n,   i, t, p, q) {
  split("", a)
  if (!match(s, re)) return 0
  p = RSTART; q = RLENGTH
  t = substr(s, p, q)
  a[0] = t
  for (i = 1; i <= n; i++) a[i] = gensub("^" re "$", "\\\\" i, 1, t)
  RSTART = p; RLENGTH = q
  return p
}
`

const TOUCH = `
function __touch(a, k) {
  if (!(k in a)) a[k] = ""
}
`

/** Rounds towards 0. */
const INT = `
function __int(x) {
  x += 0
  return x < 0 ? -int(-x) : int(x)
}
`

/** An empty text has no fields. */
const SPLIT = `
function __split(n, a) {
  if (n != 1 || a[1] != "") return n
  delete a[1]
  return 0
}
`

/** Strings, expressions between slashes, comments, names and single characters. */
const PIECE =
  /"(?:\\.|[^"\\])*"|#[^\n]*|\/(?:\\.|\[\^?\]?(?:\[:\w+:\]|[^\]])*\]|[^/\\\n[])+\/|[A-Za-z_]\w*|\d[\w.]*|\s+|./gs

/** An expression begins where no value can end. */
const isValueEnd = (piece: string | undefined) =>
  piece !== undefined && /^[\w)\]"$]|"$/.test(piece) && !/^(return|print|in|printf)$/.test(piece)

function pieces(program: string): string[] {
  const found: string[] = []
  let last: string | undefined
  let at = 0
  while (at < program.length) {
    PIECE.lastIndex = at
    let piece = PIECE.exec(program)?.[0] ?? ''
    if (piece.length > 1 && piece.startsWith('/') && isValueEnd(last)) piece = '/'
    found.push(piece)
    at += Math.max(1, piece.length)
    if (!/^\s|^#/.test(piece)) last = piece
  }
  return found
}

/** An awk program with what just-bash's awk does otherwise written in another way. */
export function rewriteAwk(program: string): string {
  if (!/length|match|split|int|RS|stdout|%[-+ 0-9.]*[eE]|%0\d+\.\d|\]\s*(?:[;}\n]|$)/.test(program))
    return program
  const found = pieces(program)
  const helpers = new Set<string>()
  for (const [at, piece] of found.entries()) {
    if (piece.startsWith('"') && /%0\d+\.\d+[feg]/.test(piece))
      throw new AwkRefusal('a zero-padded width with a precision, as in %05.2f, is not known here')
    if (piece.startsWith('"') && /%[-+ 0-9.]*[eE]/.test(piece)) throw new AwkRefusal('%e is not known here')
    if (piece === 'RS' && /^\s*=\s*""/.test(found.slice(at + 1, at + 6).join('')))
      throw new AwkRefusal('records of paragraphs, by RS = "", are not known here')
    if (piece === '"/dev/stdout"') dropStdout(found, at)
    if (piece === 'length' && !/^\s*\(/.test(found.slice(at + 1, at + 3).join(''))) found[at] = 'length($0)'
    if (piece === 'int' && found[at + 1] === '(') {
      found[at] = '__int'
      helpers.add(INT)
    }
    if (piece === 'split' && wrapSplit(found, at)) helpers.add(SPLIT)
    if (piece === 'match' && captures(found, at)) helpers.add(HELPER)
    if (/^[A-Za-z_]/.test(piece) && found[at + 1] === '[' && begins(found, at) && touch(found, at))
      helpers.add(TOUCH)
  }
  return [found.join(''), ...helpers].join('')
}

/** `print > "/dev/stdout"` is what `print` does. */
function dropStdout(found: string[], at: number): void {
  let before = at - 1
  while (/^[ \t]+$/.test(found[before] ?? '')) before -= 1
  if (found[before] !== '>') return
  found[before] = ''
  found[at] = ''
  if (found[before - 1] === '>') found[before - 1] = ''
}

/** `split(s, a, fs)` as `__split(split(s, a, fs), a)`. */
function wrapSplit(found: string[], at: number): boolean {
  let depth = 0
  let array: string | undefined
  for (let index = at + 1; index < found.length; index += 1) {
    const piece = found[index] ?? ''
    if (depth === 0 && /^\s+$/.test(piece)) continue
    if (depth === 0 && piece !== '(') return false
    if (/^[([]$/.test(piece)) depth += 1
    else if (/^[)\]]$/.test(piece)) depth -= 1
    else if (piece === ',' && depth === 1 && array === undefined)
      array = found.slice(index + 1).find((next) => !/^\s+$/.test(next)) ?? ''
    if (depth > 0) continue
    if (array === undefined || !/^[A-Za-z_]\w*$/.test(array)) return false
    found[at] = '__split(split'
    found[index] = `), ${array})`
    return true
  }
  return false
}

/** Whether a statement begins at this piece. */
function begins(found: readonly string[], at: number): boolean {
  let before = at - 1
  while (before >= 0 && /^(?:[ \t]+|#.*)$/.test(found[before] ?? '')) before -= 1
  const last = found[before] ?? ''
  return last === '{' || last === ';' || last === '}' || last.includes('\n')
}

/** `x[key]` as a statement makes the element. */
function touch(found: string[], at: number): boolean {
  let depth = 0
  let commas = false
  for (let index = at + 1; index < found.length; index += 1) {
    const piece = found[index]
    if (piece === '[' || piece === '(') depth += 1
    else if (piece === ']' || piece === ')') depth -= 1
    else if (piece === ',' && depth === 1) {
      commas = true
      found[index] = ' SUBSEP '
    }
    if (depth > 0) continue
    const after = found.slice(index + 1).find((next) => !/^[ \t]+$/.test(next)) ?? ';'
    if (!/^[;}#]|\n/.test(after) || found[at + 2] === ']') {
      if (commas) throw new AwkRefusal('an array of several subscripts is not known in this place')
      return false
    }
    found[at] = `__touch(${found[at]}`
    found[at + 1] = ', ('
    found[index] = '))'
    return true
  }
  return false
}

/** `match(s, /re/, a)` of gawk as a call of the helper. */
function captures(found: string[], at: number): boolean {
  let depth = 0
  const commas: number[] = []
  for (let index = at + 1; index < found.length; index += 1) {
    const piece = found[index]
    if (piece === '(' || piece === '[') depth += 1
    else if (piece === ')' || piece === ']') depth -= 1
    else if (piece === ',' && depth === 1) commas.push(index)
    if (depth !== 0 || piece !== ')') continue
    const [first, second] = commas
    if (first === undefined || second === undefined) return false
    const expression = found
      .slice(first + 1, second)
      .join('')
      .trim()
    if (!/^\/.*\/$/s.test(expression))
      throw new AwkRefusal('match() with an array takes an expression between slashes here')
    const body = expression.slice(1, -1)
    const groups = (body.replaceAll(/\\.|\[[^\]]*\]/g, '').match(/\(/g) ?? []).length
    found[at] = '__match'
    found[first + 1] = ` "${body.replaceAll('\\/', '/').replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
    for (let between = first + 2; between < second; between += 1) found[between] = ''
    found[index] = `, ${groups})`
    return true
  }
  return false
}
