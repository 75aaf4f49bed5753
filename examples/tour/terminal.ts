import { styleText } from 'node:util'
import type { ExecutionResult } from 'strands-shell-runtime'

const colours = process.stdout.isTTY === true && process.stdout.hasColors()
const maxLines = 12
const maxColumns = 110

type Style = Parameters<typeof styleText>[0]

/** Styles text for a terminal with colours. Any other output gets the plain text. */
export function style(format: Style, text: string): string {
  return colours ? styleText(format, text) : text
}

/** Prints the heading of a part of the tour. */
export function chapter(title: string, ...lines: readonly string[]): void {
  console.log(`\n${style('bold', `== ${title}`)}`)
  for (const text of lines) console.log(style('dim', text))
}

/** Prints a command, how it ended, and the first lines of its output. */
export function showCommand(command: string, result: ExecutionResult, milliseconds: number): void {
  const ended = result.exitCode === 0 ? '' : `, exit code ${result.exitCode}`
  const [first = '', ...more] = command.trimEnd().split('\n')
  console.log(`\n${style('cyan', `$ ${first}`)}  ${style('dim', `(${milliseconds.toFixed(1)} ms${ended})`)}`)
  for (const line of more) console.log(style('cyan', `> ${line}`))
  showText(result.stdout)
  showText(result.stderr, 'yellow')
}

function showText(text: string, format: Style = 'reset'): void {
  if (text === '') return
  const lines = text.replace(/\n$/, '').split('\n')
  for (const line of lines.slice(0, maxLines)) {
    const shown = line.length > maxColumns ? `${line.slice(0, maxColumns - 1)}…` : line
    console.log(`  ${style(format, shown)}`)
  }
  if (lines.length > maxLines) console.log(style('dim', `  … and ${lines.length - maxLines} more lines`))
}
