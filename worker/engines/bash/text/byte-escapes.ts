import { textOf } from './bytes.ts'

/** Runs of characters that are written as bytes: `\xe2\x96\x88`. A backslash before one takes its backslash. */
const RUN = /(?:\\x[0-9a-fA-F]{1,2}|\\d\d{1,3}|\\o[0-7]{1,3})+|\\[\s\S]/g
const ONE = /\\(x[0-9a-fA-F]{1,2}|d\d{1,3}|o[0-7]{1,3})/g
const BASES: Readonly<Record<string, number>> = { x: 16, d: 10, o: 8 }

/** The text of bytes: UTF-8, and what `decode` makes of bytes that are none. */
const textOfBytes = (bytes: readonly number[]): string => textOf(Buffer.from(bytes))

/**
 * The escapes of sed for characters by number. Those of ASCII are all written as `\xHH`, for the reader of the
 * expression or text; bytes above become the characters that they are together.
 */
export function mendByteEscapes(script: string): string {
  return script.replaceAll(RUN, (run) => {
    const bytes = [...run.matchAll(ONE)].map(
      ([, code = '']) => Number.parseInt(code.slice(1), BASES[code.slice(0, 1)]) & 0xff,
    )
    if (bytes.length === 0) return run
    return textOfBytes(bytes).replaceAll(/[\0-\x7f]/g, (one) => `\\x${hexOf(one)}`)
  })
}

const hexOf = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0')

/** Bytes above ASCII as awk writes them; a backslash before one takes its backslash. */
const HIGH = /(?:\\[23][0-7]{2}|\\x[89a-fA-F][0-9a-fA-F])+|\\[\s\S]/g

/** awk's escapes for bytes above ASCII in an expression, as the characters that they are together. */
export const mendHighBytes = (text: string): string =>
  text.replaceAll(HIGH, (run) => (run.length > 2 ? bytesOfEscapes(run) : run))

/** The text of escapes that stand one after the other: `\342\226\210`, `\xe2\x96\x88`. */
export const bytesOfEscapes = (run: string): string =>
  textOfBytes(
    [...run.matchAll(/\\(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3}))/g)].map(
      ([, hex, octal = '']) =>
        (hex === undefined ? Number.parseInt(octal, 8) : Number.parseInt(hex, 16)) & 0xff,
    ),
  )

/** The character of `xHH` or `cX`; undefined for any other code. */
export function characterOf(code: string): string | undefined {
  if (/^x[0-9a-f]{2}$/.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 16))
  if (/^c[@-_a-z]$/.test(code)) return String.fromCharCode(code.toUpperCase().charCodeAt(1) ^ 0x40)
  return undefined
}
