import { styleText } from 'node:util'

/** One thing that the doctor looked at. */
export interface Finding {
  readonly label: string
  /** What it found; for a failed one, what is wrong and what to do. */
  readonly text: string
  /** Absent where there is nothing to be right or wrong. */
  readonly state?: 'ok' | 'failed'
  /** Milliseconds it took. */
  readonly time?: number
}

const labelWidth = 34
const stateWidth = 6
const timeWidth = 8
const textWidth = 92

/** A heading of the report. */
export function heading(text: string, colours: boolean): string {
  return `\n${colours ? styleText('bold', text) : text}\n`
}

/** A finding as an aligned line; what follows the first line of its text is indented below it. */
export function line({ label, text, state, time }: Finding, colours: boolean): string {
  const [first = '', ...more] = text.split('\n').flatMap((row) => (state === 'failed' ? wrap(row) : row))
  const indent = ' '.repeat(2 + stateWidth)
  const took = time === undefined ? '' : `${time.toFixed(time < 10 ? 1 : 0)} ms`
  const columns =
    state === undefined
      ? label.padEnd(16)
      : `${word(state, colours)}${label.padEnd(labelWidth)}${took.padStart(timeWidth)}  `
  return `${[`  ${columns}${first}`.trimEnd(), ...more.map((extra) => `${indent}${extra}`)].join('\n')}\n`
}

function word(state: 'ok' | 'failed', colours: boolean): string {
  const text = (state === 'ok' ? 'ok' : 'FAIL').padEnd(stateWidth)
  if (!colours) return text
  return styleText(state === 'ok' ? 'green' : 'red', text)
}

function wrap(text: string): string[] {
  const rows = ['']
  for (const word of text.split(' ')) {
    const last = rows.at(-1) ?? ''
    if (last === '') rows[rows.length - 1] = word
    else if (last.length + 1 + word.length > textWidth) rows.push(word)
    else rows[rows.length - 1] = `${last} ${word}`
  }
  return rows
}
