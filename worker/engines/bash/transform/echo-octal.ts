import type { SimpleCommandNode, WordPart } from '../just-bash.ts'
import { plainText } from './nodes.ts'

/** A byte of a character of several: just-bash takes such octal numbers for characters, and hexadecimal ones for bytes. */
const OCTAL = /\\0([23][0-7]{2})|\\[\s\S]/g

const hexadecimal = (text: string) =>
  text.replaceAll(OCTAL, (whole, digits: string | undefined) =>
    digits === undefined ? whole : `\\x${Number.parseInt(digits, 8).toString(16)}`,
  )

/** `echo -e '\0342\0226\0210'` */
export function echoOctal(node: SimpleCommandNode): SimpleCommandNode {
  if (plainText(node.name) !== 'echo' || !/^-[nE]*e[neE]*$/.test(plainText(node.args[0]) ?? '')) return node
  return { ...node, args: node.args.map((arg) => ({ ...arg, parts: arg.parts.map(mended) })) }
}

function mended(part: WordPart): WordPart {
  if (part.type === 'SingleQuoted' || part.type === 'Literal')
    return { ...part, value: hexadecimal(part.value) }
  return part.type === 'DoubleQuoted' ? { ...part, parts: part.parts.map(mended) } : part
}
