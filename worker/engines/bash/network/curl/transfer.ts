import { type Answer, bytes, reason } from '../../commands/command.ts'
import type { CommandContext } from '../../just-bash.ts'
import { type ClientAnswer, type HttpClient, MAX_REDIRECTS } from '../client.ts'
import { RequestFailure } from '../failure.ts'
import { bodyOf, dataOf } from './body.ts'
import { decompressed } from './decompressed.ts'
import { type CurlOptions, lastValue } from './options.ts'
import { headText, verboseText, writeOut } from './output.ts'
import { requestOf } from './request.ts'

/** What the transfers of one command have in common. */
interface Transfer {
  readonly http: HttpClient
  /** Bytes. */
  readonly maxBody: number
  readonly options: CurlOptions
  readonly context: CommandContext
}

/**
 * Gets one address, and puts its body where it belongs.
 *
 * @param output - a file; `''`: one that is named as the last part of the address. Default: standard output
 */
export async function transfer(
  { http, maxBody, options, context }: Transfer,
  url: string,
  output: string | undefined,
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
    const answer = flags.has('compressed') ? decompressed(raw, maxBody) : raw
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
