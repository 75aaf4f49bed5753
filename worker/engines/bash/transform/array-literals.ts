import type { ScriptNode } from '../just-bash.ts'
import { rewriteTexts } from './walk.ts'

/** `name=(` and `name+=(` */
const BEGINS = /(?<![\w$])[A-Za-z_]\w*\+?=\(/g
const ASSIGNS = /[A-Za-z_]\w*\+?=/y

/** Stands for `=` while a script is parsed. */
const MARK = '\ue010'

/** The index behind what is quoted or nested at `at`; the same one where nothing is, and -1 where it has no end. */
function behind(text: string, at: number): number {
  const character = text[at] ?? ''
  if (character === '\\') return at + 2
  if (character === "'") return text.indexOf("'", at + 1) + 1 || -1
  if (character === '"') {
    const string = /"(?:\\[\s\S]|[^"\\])*"/y
    string.lastIndex = at
    const found = string.exec(text)
    return found === null ? -1 : at + found[0].length
  }
  if (character === '#') return text.indexOf('\n', at) < 0 ? -1 : text.indexOf('\n', at)
  if (!/[({`]/.test(character)) return at
  const close = { '(': ')', '{': '}', '`': '`' }[character] ?? ''
  for (let inner = at + 1; inner >= 0 && inner < text.length; ) {
    if (text[inner] === close) return inner + 1
    const next = text[inner] === '#' ? inner : behind(text, inner)
    inner = next === inner ? inner + 1 : next
  }
  return -1
}

/** `(A=1 B=2)` as elements of an array: just-bash leaves such words out. Another sign than `=` makes them plain words. */
export function maskArrayWords(script: string): string {
  if (!script.includes('=(')) return script
  let text = ''
  let from = 0
  for (const { index, 0: begin } of script.matchAll(BEGINS)) {
    if (index < from) continue
    const { masked, end } = maskedWords(script, index + begin.length)
    if (end < 0) continue
    text += script.slice(from, index + begin.length) + masked
    from = end
  }
  return from === 0 ? script : text + script.slice(from)
}

function maskedWords(script: string, from: number): { masked: string; end: number } {
  let masked = ''
  let begins = true
  for (let at = from; at < script.length; ) {
    const character = script[at] ?? ''
    if (character === ')') return { masked, end: at }
    ASSIGNS.lastIndex = at
    const name = begins ? ASSIGNS.exec(script)?.[0] : undefined
    if (name !== undefined) {
      masked += name.slice(0, -1) + MARK
      at += name.length
      begins = false
      continue
    }
    const next = character === '#' && !begins ? at : behind(script, at)
    if (next < 0) break
    const end = Math.max(next, at + 1)
    masked += end > at + 2 ? maskArrayWords(script.slice(at, end)) : script.slice(at, end)
    begins = /\s/.test(character)
    at = end
  }
  return { masked: '', end: -1 }
}

/** Puts the signs back in all texts of a tree. */
export function restoreArrayWords(ast: ScriptNode): void {
  rewriteTexts(ast, (text) => text.replaceAll(MARK, '='))
}
