import { asStandardBase64, Base64Forms } from './base64-forms.ts'

/** What stands in the place of a secret. */
export const mask = '***'

/** A part of a text: from an index up to another one. */
type Span = readonly [from: number, to: number]

/** A text without secrets and their base64 forms: one mask for all that lie over or beside each other. */
export function masked(text: string, secrets: readonly string[], forms = new Base64Forms()): string {
  return secrets.length === 0 ? text : withMasks(text, secretSpans(text, secrets, forms))
}

/** Where a text has secrets and their base64 forms, by their begins. */
export function secretSpans(text: string, secrets: readonly string[], forms: Base64Forms): readonly Span[] {
  return sorted([...spansOf(text, secrets), ...encodedSpansOf(text, secrets, forms)])
}

/** The same for an address, which has its host in small letters, and what is no ASCII percent-encoded. */
export function maskedUrl(url: string, secrets: readonly string[], forms = new Base64Forms()): string {
  if (secrets.length === 0) return url
  const { plain, starts } = decoded(url)
  const found = [
    ...spansOf(
      plain.toLowerCase(),
      secrets.map((secret) => bytesOf(secret).toLowerCase()),
    ),
    ...encodedSpansOf(plain, secrets, forms),
  ]
  return withMasks(
    url,
    sorted(found.map(([from, to]): Span => [starts[from] ?? 0, starts[to] ?? url.length])),
  )
}

/** The bytes that an address stands for, as characters, and where each begins in the address, its end included. */
function decoded(url: string): { readonly plain: string; readonly starts: Uint32Array } {
  const bytes = Buffer.alloc(3 * url.length)
  const starts = new Uint32Array(3 * url.length + 1)
  let length = 0
  for (let at = 0; at < url.length; ) {
    const from = at
    const code = url.codePointAt(at) ?? 0
    const digits = code === 0x25 ? url.slice(at + 1, at + 3) : ''
    const begin = length
    if (/^[\da-f]{2}$/i.test(digits)) {
      bytes[length++] = Number.parseInt(digits, 16)
      at += 3
    } else if (code < 0x80) {
      bytes[length++] = code
      at += 1
    } else {
      length += bytes.write(String.fromCodePoint(code), length)
      at += code > 0xffff ? 2 : 1
    }
    starts.fill(from, begin, length)
  }
  starts[length] = url.length
  return { plain: bytes.toString('latin1', 0, length), starts: starts.subarray(0, length + 1) }
}

/** A text as one character for each byte of its UTF-8. */
function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1')
}

function spansOf(text: string, secrets: readonly string[]): Span[] {
  const spans: Span[] = []
  for (const secret of secrets) {
    if (secret === '') continue
    for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + 1))
      spans.push([at, at + secret.length])
  }
  return spans
}

function encodedSpansOf(text: string, secrets: readonly string[], forms: Base64Forms): Span[] {
  const spans: Span[] = []
  const encoded = asStandardBase64(text)
  if (encoded === undefined) return spans
  for (const secret of secrets) {
    for (const { text: form, before, after } of forms.of(secret)) {
      for (let at = encoded.indexOf(form); at !== -1; at = encoded.indexOf(form, at + 1))
        spans.push([Math.max(0, at - before), Math.min(text.length, at + form.length + after)])
    }
  }
  return spans
}

function sorted(spans: Span[]): readonly Span[] {
  return spans.sort(([one], [other]) => one - other)
}

function withMasks(text: string, spans: readonly Span[]): string {
  let shown = ''
  let end = 0
  for (const [from, to] of spans) {
    if (from > end || (from === 0 && end === 0)) shown += text.slice(end, from) + mask
    end = Math.max(end, to)
  }
  return shown + text.slice(end)
}
