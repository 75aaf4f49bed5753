import { randomBytes } from 'node:crypto'
import type { CommandContext } from '../../just-bash.ts'
import { RequestFailure } from '../failure.ts'
import { type CurlOptions, lastValue } from './options.ts'

/** Bytes of a body: what the proxy of a cell lets through. */
const MAX_BODY = 64 * 1024 * 1024

/** The body of a request. */
export interface RequestBody {
  readonly content: Uint8Array
  /** Undefined: none that goes without saying. */
  readonly type: string | undefined
}

/** What `-d` and its like say, joined; undefined without one. With `-G` it belongs to the address. */
export async function dataOf({ values }: CurlOptions, context: CommandContext): Promise<Buffer | undefined> {
  const parts: Buffer[] = []
  for (const [name, value] of values) {
    const isJson = name === 'json'
    if (!name.startsWith('data') && !isJson) continue
    const part = name === 'data-urlencode' ? await encoded(value, context) : await plain(name, value, context)
    if (parts.length > 0 && !isJson) parts.push(Buffer.from('&'))
    parts.push(part)
    refuseTooLarge(parts)
  }
  return parts.length === 0 ? undefined : Buffer.concat(parts)
}

/** The body that the options make; undefined for none. */
export async function bodyOf(
  options: CurlOptions,
  data: Buffer | undefined,
  context: CommandContext,
): Promise<RequestBody | undefined> {
  const upload = lastValue(options, 'upload-file')
  if (upload !== undefined) {
    const content = await read(upload, context)
    refuseTooLarge([content])
    return { content, type: undefined }
  }
  const form = options.values.filter(([name]) => name === 'form' || name === 'form-string')
  if (form.length > 0) return formOf(form, context)
  if (data === undefined || options.flags.has('get')) return undefined
  const isJson = lastValue(options, 'json') !== undefined
  return { content: data, type: isJson ? 'application/json' : 'application/x-www-form-urlencoded' }
}

async function plain(name: string, value: string, context: CommandContext): Promise<Buffer> {
  if (name === 'data-raw' || !value.startsWith('@')) return Buffer.from(value)
  const content = await read(value.slice(1), context)
  if (name === 'data-binary' || name === 'json') return content
  return Buffer.from(content.toString('latin1').replaceAll(/[\r\n\0]/g, ''), 'latin1')
}

/** `content`, `=content`, `name=content`, `@file`, `name@file`. */
async function encoded(value: string, context: CommandContext): Promise<Buffer> {
  const [, name = '', sign = '', rest = ''] = /^([^=@]*)([=@])(.*)$/s.exec(value) ?? ['', '', '=', value]
  const content = sign === '@' ? await read(rest, context) : Buffer.from(rest)
  return Buffer.from(`${name === '' ? '' : `${name}=`}${escaped(content)}`)
}

function escaped(content: Buffer): string {
  return content
    .toString('latin1')
    .replaceAll(
      /[^A-Za-z0-9._~-]/g,
      (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
}

/** `name=text`, `name=@file`, `name=<file`, each with `;type=` and `;filename=`. */
async function formOf(
  fields: readonly (readonly [name: string, value: string])[],
  context: CommandContext,
): Promise<RequestBody> {
  const boundary = `------------------------${randomBytes(11).toString('hex')}`
  const parts: Buffer[] = []
  for (const [option, field] of fields) {
    const [, name = '', rest] = /^([^=]*)=(.*)$/s.exec(field) ?? []
    if (rest === undefined) throw new RequestFailure(2, `the form field '${field}' has no '='`)
    const isFile = option === 'form' && /^[@<]/.test(rest)
    const [value = '', ...notes] = option === 'form' ? rest.split(/;(?=type=|filename=)/) : [rest]
    const path = value.slice(1)
    const note = (key: string) => notes.find((text) => text.startsWith(`${key}=`))?.slice(key.length + 1)
    const filename =
      note('filename') ?? (value.startsWith('@') && isFile ? path.split('/').at(-1) : undefined)
    const type = note('type') ?? (filename === undefined ? undefined : 'application/octet-stream')
    const lines = [
      `--${boundary}`,
      `Content-Disposition: form-data; name="${quoted(name)}"${filename === undefined ? '' : `; filename="${quoted(filename)}"`}`,
      ...(type === undefined ? [] : [`Content-Type: ${type.replaceAll(/[\r\n]/g, '')}`]),
    ]
    const content = isFile ? await read(path, context) : Buffer.from(value)
    parts.push(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), content, Buffer.from('\r\n'))
    refuseTooLarge(parts)
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`))
  return { content: Buffer.concat(parts), type: `multipart/form-data; boundary=${boundary}` }
}

function quoted(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function refuseTooLarge(parts: readonly Buffer[]): void {
  const size = parts.reduce((sum, { length }) => sum + length, 0)
  if (size > MAX_BODY)
    throw new RequestFailure(55, `the body of the request is larger than ${MAX_BODY} bytes`)
}

async function read(path: string, context: CommandContext): Promise<Buffer> {
  if (path === '-' || path === '/dev/stdin') return Buffer.from(String(context.stdin), 'latin1')
  try {
    return Buffer.from(await context.fs.readFileBuffer(context.fs.resolvePath(context.cwd, path)))
  } catch {
    // Whatever kept it from being read, curl says the same.
    throw new RequestFailure(26, `Failed to open ${path}`)
  }
}
