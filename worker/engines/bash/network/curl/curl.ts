import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { type Answer, bytes, done, failed, type OwnCommand, reason } from '../../commands/command.ts'
import type { CommandContext } from '../../just-bash.ts'
import { type ClientAnswer, type HttpClient, MAX_REDIRECTS } from '../client.ts'
import { RequestFailure, tooLarge } from '../failure.ts'
import { bodyOf, dataOf } from './body.ts'
import { type CurlOptions, lastValue, readOptions } from './options.ts'
import { headText, verboseText, writeOut } from './output.ts'
import { requestOf } from './request.ts'

const USAGE = `Usage: curl [options...] <url>
 -X -H -d --data-raw --data-binary --data-urlencode --json -F -T -G   the request
 -u --oauth2-bearer -A -e -b 'name=value' -r                          its headers
 -L --max-redirs -m --connect-timeout --compressed                    the way
 -s -S -f --fail-with-body -i -I -v -o -O -D -w                       the output
Only the addresses that this sandbox allows can be reached.
`

/** `curl`, over a client. @param maxBody - bytes that a compressed body may grow to. */
export function curl(http: HttpClient, maxBody: number): OwnCommand {
  return {
    name: 'curl',
    async run(args, context) {
      if (args.includes('--help') || args.includes('-h')) return done(USAGE)
      if (args.includes('--version') || args.includes('-V'))
        return done('curl 8 (just-bash)\nProtocols: http https\n')
      const options = readOptions(args)
      if (typeof options === 'string') return failed('curl', options, 2)
      if (options.urls.length === 0) return failed('curl', '(2) no URL specified', 2)
      const parts: Answer[] = []
      for (const [at, url] of options.urls.entries())
        parts.push(await transfer(http, maxBody, url, options.outputs[at], options, context))
      return {
        ...bytes(parts.map(({ stdout }) => stdout).join(''), parts.at(-1)?.exitCode ?? 0),
        stderr: parts.map(({ stderr }) => stderr).join(''),
      }
    },
  }
}

async function transfer(
  http: HttpClient,
  maxBody: number,
  url: string,
  output: string | undefined,
  options: CurlOptions,
  context: CommandContext,
): Promise<Answer> {
  const { flags } = options
  const format = lastValue(options, 'write-out')
  const started = performance.now()
  const facts = (code: number, method: string) => ({
    time_total: ((performance.now() - started) / 1000).toFixed(6),
    exitcode: String(code),
    method,
  })
  const quiet = flags.has('silent') && !flags.has('show-error')
  const said = (code: number, message: string) => (quiet ? '' : `curl: (${code}) ${message}\n`)
  let method = 'GET'
  try {
    const data = await dataOf(options, context)
    const request = requestOf(url, options, data, await bodyOf(options, data, context))
    method = request.method
    const redirects = flags.has('location') ? Number(lastValue(options, 'max-redirs') ?? MAX_REDIRECTS) : 0
    const raw = await http.send({ ...request, redirects, signal: context.signal })
    const answer = flags.has('compressed') ? decoded(raw, maxBody) : raw
    const hasFailed = answer.status >= 400 && (flags.has('fail') || flags.has('fail-with-body'))
    const code = hasFailed ? 22 : 0
    const heads = [...answer.earlier, answer].map(headText).join('')
    const showsHead = flags.has('include') || flags.has('show-headers') || flags.has('head')
    const body = (hasFailed && !flags.has('fail-with-body')) || flags.has('head') ? '' : latin1(answer.body)
    const content = (showsHead ? heads : '') + body
    const dump = lastValue(options, 'dump-header')
    if (dump !== undefined && dump !== '-') await save(dump, heads, options, context)
    const target = output === '' ? remoteName(answer.url) : output
    const toFile = target !== undefined && target !== '-'
    if (toFile && !(hasFailed && body === '')) await save(target, content, options, context)
    return {
      ...bytes(
        (dump === '-' ? heads : '') +
          (toFile ? '' : content) +
          (format === undefined ? '' : utf8(writeOut(format, answer, facts(code, method)))),
        code,
      ),
      stderr:
        (flags.has('verbose') ? verboseText(method, request.url, request.headers, answer) : '') +
        (hasFailed ? said(22, `The requested URL returned error: ${answer.status}`) : ''),
    }
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error
    const { code, message } = error
    const told = format === undefined ? '' : utf8(writeOut(format, nothing(url), facts(code, method)))
    return { ...bytes(told, code), stderr: said(code, message) }
  }
}

const nothing = (url: string): ClientAnswer => ({
  version: '0',
  status: 0,
  statusText: '',
  headers: [],
  body: new Uint8Array(),
  url,
  earlier: [],
})

const latin1 = (content: Uint8Array) =>
  Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1')

const utf8 = (text: string) => Buffer.from(text).toString('latin1')

function decoded(answer: ClientAnswer, maxOutputLength: number): ClientAnswer {
  const encoding = answer.headers.find(([name]) => name.toLowerCase() === 'content-encoding')?.[1]
  const decode = { gzip: gunzipSync, 'x-gzip': gunzipSync, deflate: inflateSync, br: brotliDecompressSync }[
    encoding?.toLowerCase() ?? ''
  ]
  if (decode === undefined || answer.body.length === 0) return answer
  try {
    return { ...answer, body: new Uint8Array(decode(answer.body, { maxOutputLength })) }
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(maxOutputLength)
    throw new RequestFailure(61, 'Unrecognized or bad HTTP Content or Transfer-Encoding')
  }
}

async function save(
  path: string,
  content: string,
  options: CurlOptions,
  { fs, cwd }: CommandContext,
): Promise<void> {
  const folder = fs.resolvePath(cwd, lastValue(options, 'output-dir') ?? '.')
  const full = fs.resolvePath(folder, path)
  try {
    if (options.flags.has('create-dirs')) await fs.mkdir(fs.resolvePath(full, '..'), { recursive: true })
    await fs.writeFile(full, Buffer.from(content, 'latin1'))
  } catch (error) {
    throw new RequestFailure(23, `Failure writing output to destination ${path}: ${reason(error)}`)
  }
}

function remoteName(url: string): string {
  const name = new URL(url).pathname.split('/').at(-1)
  if (name === undefined || name === '') throw new RequestFailure(23, 'Remote file name has no length')
  return name
}
