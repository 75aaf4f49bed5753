// Writes the tables of docs/errors.md from the guide in the source: npx tsx scripts/write-error-docs.ts
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type ErrorGuide, errorGuide, lossGuide } from './error-guide.ts'

const page = fileURLToPath(new URL('../docs/errors.md', import.meta.url))

/** The page with its tables as they should be. @throws Error where it has no place for one */
export function withTables(text: string): string {
  return withTable(withTable(text, 'errors', errorTable()), 'losses', lossTable())
}

function withTable(text: string, name: string, table: string): string {
  const [begin, end] = [`<!-- ${name}: written by scripts/write-error-docs.ts -->\n`, `<!-- /${name} -->`]
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from === -1 || to < from) throw new Error(`docs/errors.md has no place for the table '${name}'`)
  return `${text.slice(0, from)}${begin}\n${table}\n\n${text.slice(to)}`
}

function errorTable(): string {
  const rows = Object.entries(errorGuide).flatMap(([code, guides]) =>
    guides.map(({ errorClass, ...guide }) => [`\`${errorClass}\``, `\`${code}\``, ...cells(guide)]),
  )
  return table(['class', '`code`', ...headings], rows)
}

function lossTable(): string {
  const rows = Object.entries(lossGuide).map(([code, guide]) => [`\`${code}\``, ...cells(guide)])
  return table(['`cause.code`', ...headings], rows)
}

const headings = ['meaning', 'cause', 'retry?', 'what to do']

function cells({ meaning, cause, retry, advice }: ErrorGuide): string[] {
  return [meaning, cause, retry, advice]
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(page, withTables(await readFile(page, 'utf8')))
}
