import { quoted } from '../text/quoted.ts'
import { isArray, isObject, JqError, type Json, typeOf, writeJson, writeNumber } from './values.ts'

export const toText = (value: Json): string => (typeof value === 'string' ? value : writeJson(value))

const HTML: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  "'": '&#39;',
  '"': '&quot;',
}
const TSV: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\' }
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** `@name` of a value. @throws {JqError} where the value does not fit */
export function formatted(name: string, value: Json): string {
  switch (name) {
    case '@text':
      return toText(value)
    case '@json':
      return writeJson(value)
    case '@csv':
      return row(value, 'csv', ',', (text) => `"${text.replaceAll('"', '""')}"`)
    case '@tsv':
      return row(value, 'tsv', '\t', (text) => text.replaceAll(/[\t\n\r\\]/g, (one) => TSV[one] ?? one))
    case '@html':
      return toText(value).replaceAll(/[<>&'"]/g, (one) => HTML[one] ?? one)
    case '@uri':
      return encodeURIComponent(toText(value)).replaceAll(
        /[!'()*]/g,
        (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
      )
    case '@sh':
      return (isArray(value) ? value : [value]).map(shellWord).join(' ')
    case '@base64':
      return Buffer.from(toText(value)).toString('base64')
    case '@base64d':
      return decoded(toText(value))
    case '@base32':
      return base32(Buffer.from(toText(value)))
    case '@base32d':
      return fromBase32(toText(value))
    default:
      throw new JqError(`${name.slice(1)} is not a valid format`)
  }
}

function row(value: Json, name: string, separator: string, quote: (text: string) => string): string {
  if (!isArray(value))
    throw new JqError(
      `${typeOf(value)} (${writeJson(value)}) cannot be ${name}-formatted, only an array can be`,
    )
  return value
    .map((cell) => {
      if (typeof cell === 'string') return quote(cell)
      if (cell === null) return ''
      if (isArray(cell) || isObject(cell))
        throw new JqError(`${typeOf(cell)} (${writeJson(cell)}) is not valid in a csv row`)
      return typeof cell === 'number' ? writeNumber(cell) : String(cell)
    })
    .join(separator)
}

function shellWord(value: Json): string {
  if (isArray(value) || isObject(value))
    throw new JqError(`${typeOf(value)} (${writeJson(value)}) can not be escaped for shell`)
  return typeof value === 'string' ? quoted(value) : writeJson(value)
}

function decoded(text: string): string {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length === 0 && text.replaceAll('=', '') !== '')
    throw new JqError(`string (${writeJson(text)}) is not valid base64 data`)
  return bytes.toString()
}

function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const digits = (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)])
  return digits.join('').padEnd(Math.ceil(digits.length / 8) * 8, '=')
}

function fromBase32(text: string): string {
  const bits = [...text.replace(/=+$/, '')]
    .map((digit) => BASE32.indexOf(digit).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))).toString()
}
