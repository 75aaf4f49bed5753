import { readFileSync, writeFileSync } from 'node:fs'
import type { Isolation } from '../../../src/index.ts'
import type { Promised } from './expected.ts'
import { type MomentName, momentNames } from './moments.ts'

/** What the page says of one fault at one level. */
export interface Row {
  readonly fault: string
  readonly level: Isolation
  /** The error of the calls that are lost, when they are told, and what is gone: same at every level. */
  readonly error: string
  readonly told: string
  readonly takes: string
  /** Where it cannot strike, and why. */
  readonly excluded?: string | undefined
  readonly words: Readonly<Partial<Record<MomentName, string>>>
}

/** The word of the page for what is promised of a fault whose losses have this error. */
export function wordOf({ outcome, again }: Promised, error: string | undefined): string {
  const told = outcome.startsWith('nothing') ? 'kept' : outcome
  const word = error === undefined ? told : told.replace(error, 'lost')
  const shown = word.replace(/^[A-Z_]{5,}/, (code) => `\`${code}\``)
  if (error === undefined || again[0] !== error) return shown
  return outcome === 'nothing' ? 'next' : `${shown}, next`
}

/** The tables of all rows. */
export function tablesOf(rows: readonly Row[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const table = (head: readonly string[], body: readonly (readonly string[])[]) =>
    [head, head.map(() => '---'), ...body].map(line).join('\n')
  const names = [...new Set(rows.map(({ fault }) => fault))]
  const ofFault = names.map((name) => rows.filter(({ fault }) => fault === name))
  const outcomes = ofFault.flatMap((levels) =>
    alike(levels).map(({ fault, where, words }) => [
      fault,
      where,
      ...momentNames.map((name) => words[name] ?? '—'),
    ]),
  )
  const facts = ofFault.flatMap(([row]) =>
    row === undefined ? [] : [[row.fault, row.error, row.told, row.takes, row.excluded ?? '—']],
  )
  return [
    table(['fault', '`isolation`', ...momentNames], outcomes),
    table(['fault', 'error of what is lost', 'told', 'gone', 'does not apply'], facts),
  ].join('\n\n')
}

/** Rows of one fault, those of levels with the same words as one. */
function alike(rows: readonly Row[]): readonly (Row & { readonly where: string })[] {
  const key = ({ words }: Row) => JSON.stringify(words)
  return [...new Set(rows.map(key))].flatMap((one) => {
    const same = rows.filter((row) => key(row) === one)
    const where = same.length === 3 ? 'every' : same.map(({ level }) => `\`${level}\``).join(', ')
    return same.slice(0, 1).map((row) => ({ ...row, where }))
  })
}

/** The tables of an engine that a page has. */
export function readTables(page: URL, engine: string): string {
  const text = readFileSync(page, 'utf8')
  const [from, to] = placeOf(text, engine)
  return text.slice(from, to)
}

/** Puts the tables of an engine into a page, in the place of those it has. */
export function writeTables(page: URL, engine: string, tables: string): void {
  const text = readFileSync(page, 'utf8')
  const [from, to] = placeOf(text, engine)
  writeFileSync(page, `${text.slice(0, from)}${tables}${text.slice(to)}`)
}

/** Where the tables of an engine begin and end in a page. */
function placeOf(text: string, engine: string): readonly [number, number] {
  const begin = `<!-- results of ${engine}: begin -->\n`
  const from = text.indexOf(begin)
  const to = text.indexOf(`\n<!-- results of ${engine}: end -->`)
  if (from < 0 || to < 0) throw new Error(`The page has no place for the tables of ${engine}.`)
  return [from + begin.length, to]
}
