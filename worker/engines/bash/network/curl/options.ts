import { parseArgs } from 'node:util'

/** Options without a value: by name, the letter and what it switches on; `''` for what changes nothing here. */
const FLAGS = {
  silent: 's',
  'show-error': 'S',
  fail: 'f',
  'fail-with-body': '',
  location: 'L',
  head: 'I',
  include: 'i',
  'show-headers': '',
  'remote-name': 'O',
  'remote-name-all': '',
  verbose: 'v',
  get: 'G',
  compressed: '',
  globoff: 'g',
  'create-dirs': '',
  'no-buffer': 'N',
  'no-progress-meter': '',
  'progress-bar': '#',
  disable: 'q',
  'http1.1': '',
  http2: '',
  ipv4: '4',
  ipv6: '6',
} as const

/** Options with a value: by name, the letter. */
const VALUES = {
  request: 'X',
  header: 'H',
  data: 'd',
  'data-ascii': '',
  'data-raw': '',
  'data-binary': '',
  'data-urlencode': '',
  json: '',
  form: 'F',
  'form-string': '',
  user: 'u',
  'oauth2-bearer': '',
  'user-agent': 'A',
  referer: 'e',
  cookie: 'b',
  'upload-file': 'T',
  output: 'o',
  'output-dir': '',
  'write-out': 'w',
  'dump-header': 'D',
  'max-time': 'm',
  'connect-timeout': '',
  'max-redirs': '',
  range: 'r',
  retry: '',
  'retry-delay': '',
  'retry-max-time': '',
  url: '',
} as const

type Flag = keyof typeof FLAGS
type Valued = keyof typeof VALUES

/** The words of a command line, read. */
export interface CurlOptions {
  readonly flags: ReadonlySet<Flag>
  /** Options with their values, in their order. */
  readonly values: readonly (readonly [name: Valued, value: string])[]
  readonly urls: readonly string[]
  /** Where the body of each URL goes; undefined: standard output, `''`: a file that is named as the URL's last part. */
  readonly outputs: readonly string[]
}

const config = Object.fromEntries([
  ...Object.entries(FLAGS).map(([name, short]) => [name, { type: 'boolean' as const, ...letter(short) }]),
  ...Object.entries(VALUES).map(([name, short]) => [name, { type: 'string' as const, ...letter(short) }]),
])

/** The options, or why they cannot be read. */
export function readOptions(args: readonly string[]): CurlOptions | string {
  const { tokens } = parseArgs({
    args: [...args],
    options: config,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const flags = new Set<Flag>()
  const values: [Valued, string][] = []
  const urls: string[] = []
  const outputs: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') urls.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName, value } = token
    if (isFlag(name) && value === undefined) {
      flags.add(name)
      if (name === 'remote-name') outputs.push('')
    } else if (isValued(name)) {
      if (value === undefined) return `option ${rawName}: requires parameter`
      if (name === 'url') urls.push(value)
      else if (name === 'output') outputs.push(value)
      else values.push([name, value])
    } else return `option ${rawName}: is unknown, or cannot be used in this sandbox`
  }
  return { flags, values, urls, outputs }
}

/** The last value of an option. */
export function lastValue({ values }: CurlOptions, wanted: Valued): string | undefined {
  return values.findLast(([name]) => name === wanted)?.[1]
}

function letter(short: string): { short?: string } {
  return short === '' ? {} : { short }
}

function isFlag(name: string): name is Flag {
  return Object.hasOwn(FLAGS, name)
}

function isValued(name: string): name is Valued {
  return Object.hasOwn(VALUES, name)
}
