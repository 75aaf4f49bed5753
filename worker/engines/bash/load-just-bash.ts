import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import { type Expander, matchingPaths } from './files/matching-paths.ts'
import type { JustBash } from './just-bash.ts'
import { loadProgram } from './load-program.ts'
import { MENDS } from './mends.ts'
import { withByteCoders } from './text/byte-coders.ts'
import { bytesAt, encode, textOfBytes } from './text/bytes.ts'
import { isArithmetic } from './text/is-arithmetic.ts'
import { withoutHttpClient } from './without-http-client.ts'

/** The SHA-256 of `dist/bundle/index.js` of just-bash 3.4.2. */
const DIGEST = '70dd1320d921b736e965b1545e50ab57af2b2807a26de7fa624d4f519a953b7c'

type Modules = ReadonlyMap<string, unknown>
type Bundle = (
  modules: (name: string) => unknown,
  load: (name: string) => Promise<unknown>,
  $text: (latin1: string) => string,
  $bytes: (text: string) => string,
  $size: (latin1: string, at: number) => number,
  $paths: (expander: Expander, pattern: string) => Promise<string[]>,
  $arithmetic: (script: string, at: number) => boolean,
) => JustBash

const loaded = new Map<string, Promise<JustBash>>()

/**
 * Loads just-bash's ES module with our mends once a thread; its other files are loaded as they are. Its CommonJS bundle has
 * no working `python3` and `sqlite3`.
 *
 * @param url - of `dist/bundle/index.js`; the host resolves it.
 * @throws {TypeError} where this is not the file that the mends are for
 */
export function loadJustBash(url: string): Promise<JustBash> {
  const known = loaded.get(url)
  if (known !== undefined) return known
  const module = withByteCoders(() => withoutHttpClient(() => loadMended(url)))
  loaded.set(url, module)
  // What stood in the way, such as a limit of open files, may be gone at the next call.
  module.catch(() => loaded.delete(url))
  return module
}

async function loadMended(url: string): Promise<JustBash> {
  const source = await readFile(new URL(url), 'utf8')
  if (createHash('sha256').update(source).digest('hex') !== DIGEST)
    throw new TypeError(
      "The file of just-bash is not that of version 3.4.2: install 'just-bash@3.4.2' again.",
    )
  const urlOf = (name: string) => (name.startsWith('.') ? new URL(name, url).href : name)
  const load = (name: string): Promise<unknown> => import(urlOf(name))
  const { body, imports } = asFunctionBody(mended(source), url)
  const modules: Modules = new Map(
    await Promise.all(imports.map(async (name) => [name, await load(name)] as const)),
  )
  const script = new Script(
    `(function($module,$import,$text,$bytes,$size,$paths,$arithmetic){"use strict";${body}\n})`,
    {
      filename: fileURLToPath(url),
    },
  )
  const bundle: Bundle = script.runInThisContext()
  return bundle(
    (name) => modules.get(name),
    (name) => loadProgram(urlOf(name)),
    textOfBytes,
    encode,
    bytesAt,
    matchingPaths,
    isArithmetic,
  )
}

/** Puts the mends into the bundle in one pass: to search and copy the whole text for each takes most of the time of an opening. */
function mended(source: string): string {
  const places = MENDS.flatMap((mend) => mend.places)
    .map(([from, to]) => ({ start: source.indexOf(from), length: from.length, to }))
    .sort((one, other) => one.start - other.start)
  const parts: string[] = []
  let end = 0
  for (const { start, length, to } of places) {
    parts.push(source.slice(end, start), to)
    end = start + length
  }
  return parts.join('') + source.slice(end)
}

/** The bundle as the body of a function that gets what it imports and returns what it exports. */
function asFunctionBody(source: string, url: string): { body: string; imports: readonly string[] } {
  const imports = new Set<string>()
  const module = (name: string) => {
    imports.add(name)
    return `$module(${JSON.stringify(name)})`
  }
  const body = source
    .replaceAll(/import\{([^}]*)\}\s*from"([^"]*)";/g, (_, names: string, from: string) => {
      return `const{${names.replaceAll(' as ', ':')}}=${module(from)};`
    })
    .replaceAll(/import\*as ([\w$]+) from"([^"]*)";/g, (_, name: string, from: string) => {
      return `const ${name}=${module(from)};`
    })
    .replaceAll(/import ([\w$]+) from"([^"]*)";/g, (_, name: string, from: string) => {
      return `const ${name}=${module(from)}.default;`
    })
    .replaceAll(/import"([^"]*)";/g, (_, from: string) => {
      imports.add(from)
      return ''
    })
    .replaceAll(/(?<![\w$.])import\(/g, '$import(')
    .replaceAll('import.meta.url', JSON.stringify(url))
    .replace(/export\{([^}]*)\};\s*$/, (_, names: string) => {
      const entries = names.split(',').map((name) => name.split(' as '))
      return `return{${entries.map(([local, exported = local]) => `${exported}:${local}`).join(',')}};`
    })
  return { body, imports: [...imports] }
}
