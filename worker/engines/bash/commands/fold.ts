import { encode } from '../text/bytes.ts'
import { bytes, failed, type OwnCommand } from './command.ts'
import { readAll } from './lines.ts'
import { isGiven, readOptions } from './options.ts'

const OPTIONS = {
  width: { type: 'string', short: 'w' },
  spaces: { type: 'boolean', short: 's' },
  bytes: { type: 'boolean', short: 'b' },
} as const

/** Where the column is after a character. */
function column(at: number, character: string, plain: boolean): number {
  if (plain) return at + Buffer.byteLength(character)
  if (character === '\t') return at - (at % 8) + 8
  if (character === '\b') return Math.max(0, at - 1)
  return character === '\r' ? 0 : at + Buffer.byteLength(character)
}

/** Lines in pieces of a width; `-s` breaks after the last blank that fits. */
function folded(line: string, width: number, spaces: boolean, plain: boolean): string {
  let [output, piece, at] = ['', '', 0]
  for (const character of line) {
    let next = column(at, character, plain)
    while (next > width && piece !== '') {
      const blank = spaces ? Math.max(piece.lastIndexOf(' '), piece.lastIndexOf('\t')) : -1
      const cut = blank >= 0 ? blank + 1 : piece.length
      output += `${piece.slice(0, cut)}\n`
      piece = piece.slice(cut)
      at = [...piece].reduce((sum, one) => column(sum, one, plain), 0)
      next = column(at, character, plain)
    }
    piece += character
    at = next
  }
  return output + piece
}

/** `fold [-s] [-b] [-w width] [file…]` */
export const fold: OwnCommand = {
  name: 'fold',
  async run(args, context) {
    const read = readOptions(
      'fold',
      args.map((arg) => arg.replace(/^-(\d+)$/, '-w$1')),
      OPTIONS,
    )
    if (!isGiven(read)) return read
    const { values, flags } = read
    const width = Number(values.get('width') ?? '80')
    if (!Number.isInteger(width) || width < 1)
      return failed('fold', `invalid number of columns: '${values.get('width')}'`)
    const { texts, stderr } = await readAll('fold', read.operands, context)
    const output = texts.map(({ text }) =>
      text
        .split('\n')
        .map((line) => folded(line, width, flags.has('spaces'), flags.has('bytes')))
        .join('\n'),
    )
    return { ...bytes(encode(output.join(''))), stderr, exitCode: stderr === '' ? 0 : 1 }
  },
}
