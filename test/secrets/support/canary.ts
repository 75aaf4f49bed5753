import { inspect } from 'node:util'

/** The token that is to be seen nowhere but in requests to its own host. */
export const CANARY = 'canary-5f3c9a71-of-the-Suite_42.x'

/** The value of the header that carries it. */
export const BEARER = `Bearer ${CANARY}`

/** The forms in which the canary would give itself away, by name. */
const forms: Readonly<Record<string, string>> = {
  plain: CANARY,
  'the second half': CANARY.slice(CANARY.length / 2),
  reversed: [...CANARY].reverse().join(''),
  hexadecimal: Buffer.from(CANARY).toString('hex'),
  ...Object.fromEntries([0, 1, 2].map((offset) => [`base64 at ${offset}`, base64Within(offset)])),
  'UTF-16': Buffer.from(CANARY, 'utf16le').toString('latin1'),
  'a list of bytes': [...Buffer.from(CANARY)].join(','),
  'a dump of bytes': [...Buffer.from(CANARY)].map((byte) => byte.toString(16)).join(' '),
}

/** The part of base64 that the canary alone decides, where it starts `offset` bytes after a group. */
function base64Within(offset: number): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), Buffer.from(CANARY)]).toString('base64')
  return encoded.slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + CANARY.length) * 4) / 3))
}

/** The names of the forms in which a text holds the canary. */
export function tracesIn(text: string): readonly string[] {
  const lower = text.toLowerCase()
  return Object.entries(forms)
    .filter(([, form]) => text.includes(form) || lower.includes(form.toLowerCase()))
    .map(([name]) => name)
}

/** All that loggers, serializers and debuggers make of a value: of errors, their stacks, fields and causes. */
export function everythingSaidBy(value: unknown): string {
  const deep = {
    depth: Number.POSITIVE_INFINITY,
    showHidden: true,
    getters: true,
    showProxy: true,
    maxArrayLength: null,
    maxStringLength: null,
  }
  const said = [
    typeof value === 'string' ? value : inspect(value),
    inspect(value, deep),
    inspect(value, { ...deep, customInspect: false }),
    JSON.stringify(value) ?? '',
    inspect(Object.getOwnPropertyDescriptors(Object(value)), deep),
  ]
  for (let link: unknown = value; link instanceof Error; link = link.cause) {
    said.push(link.message, String(link), link.stack ?? '', JSON.stringify({ ...link }))
  }
  return said.join('\n')
}
