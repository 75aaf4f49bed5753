import { encode } from '../text/bytes.ts'
import { bytes, failed, type OwnCommand } from './command.ts'
import { readAll } from './lines.ts'

/** `rev [file…]`: the characters of each line from the last one on. */
export const rev: OwnCommand = {
  name: 'rev',
  async run(args, context) {
    const wrong = args.find((arg) => /^-./.test(arg) && arg !== '--')
    if (wrong !== undefined) return failed('rev', `invalid option -- '${wrong.replace(/^-+/, '')}'`)
    const paths = args.filter((arg) => arg !== '--')
    const told = (path: string, why: string) => `cannot open ${path}: ${why}`
    const { texts, stderr } = await readAll('rev', paths, context, told)
    const lines = texts.flatMap(({ text }) => text.split(/(\n)/))
    const output = lines.map((line) => [...line].reverse().join('')).join('')
    return { ...bytes(encode(output), stderr === '' ? 0 : 1), stderr }
  },
}
