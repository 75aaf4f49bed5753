import { styleText } from 'node:util'
import { PROGRAM } from '../failure.ts'
import type { Output } from '../output.ts'
import { writeRecord } from '../records.ts'
import { wrap } from '../wrap.ts'

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

/** Where the doctor says what it finds, as it goes. */
export interface Report {
  section(title: string): Promise<void>
  add(findings: readonly Finding[]): Promise<void>
  end(healthy: boolean, summary: string): Promise<void>
}

/** A report for people. */
export function textReport(version: string, output: Output, colours: boolean): Report {
  let before = `${PROGRAM} ${version}\n`
  return {
    section: (title) => {
      const text = `${before}${heading(title, colours)}`
      before = ''
      return output.write(text)
    },
    add: (findings) => output.write(findings.map((finding) => line(finding, colours)).join('')),
    end: (_healthy, summary) => output.write(`\n${summary}\n`),
  }
}

/** A report for scripts: one JSON object, at the end. */
export function jsonReport(version: string, output: Output): Report {
  const sections: { readonly title: string; readonly findings: object[] }[] = []
  return {
    section: async (title) => {
      sections.push({ title, findings: [] })
    },
    add: async (findings) => {
      const entries = findings.map(({ time, text, ...rest }) => ({
        ...rest,
        ...(time === undefined ? {} : { seconds: Math.round(time) / 1000 }),
        text: text.trim(),
      }))
      sections.at(-1)?.findings.push(...entries)
    },
    end: (healthy, summary) => writeRecord(output, { program: PROGRAM, version, healthy, summary, sections }),
  }
}

const labelWidth = 34
const stateWidth = 6
const timeWidth = 8
const textWidth = 92

function heading(text: string, colours: boolean): string {
  return `\n${colours ? styleText('bold', text) : text}\n`
}

/** A finding as an aligned line; what follows the first line of its text is indented below it. */
function line({ label, text, state, time }: Finding, colours: boolean): string {
  const [first = '', ...more] = text
    .split('\n')
    .flatMap((row) => (state === 'failed' ? wrap(row, textWidth) : row))
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
