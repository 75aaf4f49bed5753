import { toBytes } from '../text/bytes.ts'

const NAMED: Readonly<Record<number, string>> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  92: '\\\\',
}

/** A text as `l` prints it: in lines of so many characters, without end at 0 and 1. */
export function visible(text: string, length: number): string {
  const lines: string[] = []
  let line = ''
  for (const byte of toBytes(text)) {
    const plain =
      byte >= 32 && byte < 127 ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`
    const shown = NAMED[byte] ?? plain
    if (length > 1 && line.length + shown.length > length - 1) {
      lines.push(`${line}\\`)
      line = ''
    }
    line += shown
  }
  return [...lines, `${line}$`].join('\n')
}
