import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { errorCode } from '../sandbox/error-code.ts'
import { type Reply, type Route, route } from './route.ts'
import { ServiceProblem } from './service-problem.ts'

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}

/**
 * What a browser lets the page do: load and reach this service alone, and make no HTML out of text. Styles may be inline,
 * because xterm.js writes its own into the document.
 */
const policy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** A file of the page. */
interface PageFile {
  readonly content: Buffer
  readonly headers: Readonly<Record<string, string>>
}

/** The page of a service: files that hold no data, for everybody who may reach the service. */
export function pageRoutes(): readonly Route[] {
  let files: Promise<ReadonlyMap<string, PageFile>> | undefined
  const answer = async (path: string, seen: string | undefined): Promise<Reply> => {
    files ??= filesOf(join(dirname(packageManifest()), 'dist/page'))
    const file = (await files).get(path)
    if (file === undefined)
      throw new ServiceProblem('NOT_FOUND', 'The page has no such file. In a clone, npm run build makes it.')
    const { content, headers } = file
    return seen === headers['etag'] ? { status: 304, headers } : { status: 200, headers, body: content }
  }
  const answers = { 200: { description: 'A file of the page.', mediaType: 'text/html' } }
  return ['/', '/assets/{file}'].map((path) =>
    route({
      method: 'GET',
      path,
      scope: 'none',
      summary: 'The page',
      answers,
      handle: ({ params: { file }, request }) =>
        answer(file === undefined ? 'index.html' : `assets/${file}`, request.headers['if-none-match']),
    }),
  )
}

/** Everything that the page has, by its path: nothing else can be asked for. */
async function filesOf(folder: string): Promise<ReadonlyMap<string, PageFile>> {
  const names = await readdir(join(folder, 'assets')).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  })
  if (names.length === 0) return new Map()
  const paths = ['index.html', ...names.map((name) => `assets/${name}`)]
  return new Map(
    await Promise.all(
      paths.map(async (path) => [path, fileOf(path, await readFile(join(folder, path)))] as const),
    ),
  )
}

function fileOf(path: string, content: Buffer): PageFile {
  return {
    content,
    headers: {
      'content-type': contentTypes[extname(path)] ?? 'application/octet-stream',
      // The names of files are those of every version: a browser asks each time whether it has the present one.
      'cache-control': 'no-cache',
      etag: `"${hash('sha256', content, 'base64url')}"`,
      'content-security-policy': policy,
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
    },
  }
}

function packageManifest(): string {
  return createRequire(import.meta.url).resolve('strands-shell-runtime/package.json')
}
