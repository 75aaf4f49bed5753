import { usageError } from '../failure.ts'

/** Parses `KEY=VALUE`. @throws CliError saying what the form is */
export function parseLabel(text: string): readonly [key: string, value: string] {
  return parsePair('--label', text)
}

/** As {@link parseLabel}, of a node. */
export function parseNodeLabel(text: string): readonly [key: string, value: string] {
  return parsePair('--node-label', text)
}

function parsePair(option: string, text: string): readonly [key: string, value: string] {
  const equals = text.indexOf('=')
  if (equals > 0) return [text.slice(0, equals), text.slice(equals + 1)]
  throw usageError(`${option}: expected KEY=VALUE, but got ${JSON.stringify(text)}.`)
}
