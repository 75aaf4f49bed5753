import { encode } from '../text/bytes.ts'
import { bytes, type OwnCommand } from './command.ts'
import { readAll } from './lines.ts'
import { isGiven, readOptions } from './options.ts'

const OPTIONS = {
  before: { type: 'boolean', short: 'b' },
  separator: { type: 'string', short: 's' },
} as const

/** `tac [-b] [-s separator] [file…]`: the last line first. One without an end is joined with the one before. */
export const tac: OwnCommand = {
  name: 'tac',
  async run(args, context) {
    const read = readOptions('tac', args, OPTIONS)
    if (!isGiven(read)) return read
    const separator = read.values.get('separator') || '\n'
    const { texts, stderr } = await readAll(
      'tac',
      read.operands,
      context,
      (path, why) => `failed to open '${path}' for reading: ${why}`,
    )
    const output = texts.map(({ text }) => reversed(text, separator, read.flags.has('before'))).join('')
    return { ...bytes(encode(output)), stderr, exitCode: stderr === '' ? 0 : 1 }
  },
}

function reversed(text: string, separator: string, before: boolean): string {
  const pieces = text.split(separator)
  const last = pieces.length - 1
  const records = pieces
    .map((piece, at) =>
      before ? (at === 0 ? piece : separator + piece) : at === last ? piece : piece + separator,
    )
    .filter((piece) => piece !== '')
  return records.reverse().join('')
}
