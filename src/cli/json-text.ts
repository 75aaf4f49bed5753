import { isError } from '../sandbox/kinds.ts'

/** What a text of JSON holds, or why it is none: of the text itself a fault says nothing. */
export type ParsedJson =
  | { readonly value: unknown; readonly fault?: undefined }
  | { readonly value?: undefined; readonly fault: string }

/** Parses JSON that may hold secrets: the engine's own message quotes the text. */
export function parseJson(text: string): ParsedJson {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    const at = /at position (\d+)/.exec(isError(error) ? error.message : '')?.[1]
    return { fault: `it is not valid JSON${at === undefined ? '' : ` (at character ${Number(at) + 1})`}` }
  }
}
