import { encode } from '../text/bytes.ts'
import { bytes, failed, type OwnCommand } from './command.ts'
import { readAll } from './lines.ts'
import { isGiven, readOptions } from './options.ts'

const OPTIONS = {
  table: { type: 'boolean', short: 't' },
  separator: { type: 'string', short: 's' },
  'output-separator': { type: 'string', short: 'o' },
  'table-columns': { type: 'string', short: 'N' },
  'table-right': { type: 'string', short: 'R' },
  'output-width': { type: 'string', short: 'c' },
  columns: { type: 'string' },
  fillrows: { type: 'boolean', short: 'x' },
  'keep-empty-lines': { type: 'boolean', short: 'L' },
  json: { type: 'boolean', short: 'J' },
  'table-name': { type: 'string', short: 'n' },
} as const

/** Cells of a terminal that a text takes. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}]/u
const widthOf = (text: string) =>
  [...text].reduce((sum, one) => sum + (/\p{Mn}/u.test(one) ? 0 : WIDE.test(one) ? 2 : 1), 0)
const filled = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - widthOf(text)))

/** `column [-t [-s characters] [-o separator] [-N names] [-R columns]] [-x] [-c width] [file…]` */
export const column: OwnCommand = {
  name: 'column',
  async run(args, context) {
    const read = readOptions('column', args, OPTIONS)
    if (!isGiven(read)) return read
    const { flags, values } = read
    const { texts, stderr } = await readAll('column', read.operands, context)
    const lines = texts
      .flatMap(({ text }) => text.split('\n'))
      .filter((line, at, all) => line.trim() !== '' || (flags.has('keep-empty-lines') && at < all.length - 1))
    const width = Number(values.get('output-width') ?? values.get('columns') ?? '80')
    if (!Number.isInteger(width) || width < 0) return failed('column', 'invalid columns argument')
    const named = values.get('table-columns')?.split(',')
    if (flags.has('json') && named === undefined)
      return failed('column', 'option --table-columns required for --json')
    const rows = lines.map((line) => cellsOf(line, values.get('separator')))
    const right = values
      .get('table-right')
      ?.split(',')
      .map((name) => {
        const at = named?.indexOf(name) ?? -1
        return at >= 0 ? at : Number(name) - 1
      })
    const output = flags.has('json')
      ? asJson(rows, named ?? [], values.get('table-name') ?? 'table')
      : flags.has('table')
        ? table(
            named === undefined ? rows : [named, ...rows],
            values.get('output-separator') ?? '  ',
            right ?? [],
          )
        : list(lines, width, flags.has('fillrows'))
    return { ...bytes(encode(output)), stderr, exitCode: stderr === '' ? 0 : 1 }
  },
}

function cellsOf(line: string, separators: string | undefined): string[] {
  if (separators === undefined) return line.split(/[ \t]+/).filter((cell) => cell !== '')
  const cells: string[] = ['']
  for (const character of line)
    if (separators.includes(character)) cells.push('')
    else cells[cells.length - 1] += character
  return cells
}

/** Every column but the last one is filled, also where a row has no more cells. */
function table(rows: readonly string[][], separator: string, right: readonly number[]): string {
  const count = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: count }, (_, at) =>
    Math.max(0, ...rows.map((row) => widthOf(row[at] ?? ''))),
  )
  return rows
    .map((row) =>
      widths
        .map((width, at) => {
          const cell = row[at] ?? ''
          if (right.includes(at)) return ' '.repeat(Math.max(0, width - widthOf(cell))) + cell
          return at === count - 1 ? cell : filled(cell, width)
        })
        .join(separator),
    )
    .map((line) => `${line}\n`)
    .join('')
}

/** Lines side by side, as many as fit, with tabs between them. */
function list(lines: readonly string[], width: number, byRows: boolean): string {
  const most = Math.max(0, ...lines.map(widthOf))
  const step = (Math.floor(most / 8) + 1) * 8
  const columns = Math.max(1, Math.floor(width / step))
  if (most === 0 || columns === 1) return lines.map((line) => `${line}\n`).join('')
  const rows = Math.ceil(lines.length / columns)
  const found: string[][] = Array.from({ length: rows }, () => [])
  for (const [at, line] of lines.entries()) found[byRows ? Math.floor(at / columns) : at % rows]?.push(line)
  return found
    .map((row) =>
      row
        .map((cell, at) =>
          at === row.length - 1 ? cell : cell + '\t'.repeat(Math.ceil((step - widthOf(cell)) / 8)),
        )
        .join(''),
    )
    .map((line) => `${line}\n`)
    .join('')
}

function asJson(rows: readonly string[][], names: readonly string[], title: string): string {
  const objects = rows.map((row) => {
    const fields = names.map(
      (name, at) => `         ${JSON.stringify(name.toLowerCase())}: ${JSON.stringify(row[at] ?? null)}`,
    )
    return `{\n${fields.join(',\n')}\n      }`
  })
  return `{\n   ${JSON.stringify(title)}: [\n      ${objects.join(',')}\n   ]\n}\n`
}
