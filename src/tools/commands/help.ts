import type { Property } from './input-schema.ts'
import { nameOf } from './read-value.ts'

/** The first line of what `name --help` prints. */
export function usageOf(name: string, properties: readonly Property[]): string {
  const required = properties.filter((property) => property.required).map(wordsOf)
  const others = properties.length > required.length ? ['[options]'] : []
  return ['usage:', name, ...required, ...others].join(' ')
}

/** What `name --help` prints. */
export function helpOf(name: string, description: string, properties: readonly Property[]): string {
  const rows = [
    ...properties.map(rowOf),
    ['--json <JSON object>', 'The whole input. - reads standard input.'],
  ]
  const width = Math.min(32, Math.max(...rows.map(([words = '']) => words.length)))
  const lines = rows.map(([words = '', text]) => `  ${words.padEnd(width)}  ${text}`.trimEnd())
  const note =
    'A value - is standard input. An object is JSON. An option is given again for each item of a list.'
  return [usageOf(name, properties), '', description.trim(), '', ...lines, '', note, ''].join('\n')
}

function rowOf(property: Property): readonly [words: string, text: string] {
  const { required, description = '', types } = property
  const notes = [
    description.replaceAll(/\s*\n\s*/g, ' '),
    required ? '(required)' : '',
    types.has('array') ? '(list)' : '',
  ]
  return [wordsOf(property), notes.filter((note) => note !== '').join(' ')]
}

function wordsOf({ name, types, values, items }: Property): string {
  if (types.size === 1 && types.has('boolean')) return `--${name}`
  const kind = types.has('array') ? items : { types, values }
  return `--${name} <${kind.values === undefined ? nameOf(kind.types) : kind.values.map(String).join('|')}>`
}
