import type { ClientAnswer } from '../client.ts'
import type { AnswerHead } from '../exchange.ts'
import type { Header } from '../headers.ts'

/** Status line and headers, as they came. */
export function headText({ version, status, statusText, headers }: AnswerHead): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/${version} ${status}${statusText === '' ? '' : ` ${statusText}`}`, ...lines, '', ''].join(
    '\r\n',
  )
}

/** What `-v` tells: of the request what the agent wrote, and nothing that was added to it. */
export function verboseText(
  method: string,
  url: string,
  headers: readonly Header[],
  answer: ClientAnswer,
): string {
  const sent = [`${method} ${url}`, ...headers.map(([name, value]) => `${name}: ${value}`), '']
  const got = [...answer.earlier, answer].flatMap((head) => headText(head).split('\r\n').slice(0, -1))
  return [...sent.map((line) => `> ${line}\n`), ...got.map((line) => `< ${line}\n`)].join('')
}

/** The text of `-w`. */
export function writeOut(
  format: string,
  answer: ClientAnswer,
  facts: Readonly<Record<string, string>>,
): string {
  const header = (name: string) =>
    answer.headers.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1] ?? ''
  const known: Readonly<Record<string, string>> = {
    http_code: String(answer.status).padStart(3, '0'),
    response_code: String(answer.status).padStart(3, '0'),
    http_version: answer.version,
    content_type: header('content-type'),
    url_effective: answer.url,
    redirect_url: redirectUrl(answer.url, header('location')),
    num_redirects: String(answer.earlier.length),
    size_download: String(answer.body.length),
    scheme: answer.url.split(':')[0] ?? '',
    ...facts,
  }
  const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }
  return format.replaceAll(
    /%%|%\{([^}]*)\}|\\(.)/gs,
    (text, name: string | undefined, letter: string | undefined) => {
      if (name !== undefined) return known[name] ?? ''
      return letter === undefined ? '%' : (escapes[letter] ?? text)
    },
  )
}

function redirectUrl(url: string, location: string): string {
  if (location === '' || url === '') return ''
  return URL.canParse(location, url) ? new URL(location, url).href : location
}
