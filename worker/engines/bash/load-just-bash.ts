import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import type { Code } from '../../service/code/code.ts'
import { importModule } from '../../service/code/import-module.ts'
import { compute, type Integer, integer } from './arithmetic/exact.ts'
import { joined } from './bundle/pieces.ts'
import { assertPinned } from './bundle/pinned.ts'
import { prepared } from './bundle/prepared.ts'
import { type Expander, matchingPaths } from './files/matching-paths.ts'
import type { JustBash } from './just-bash.ts'
import { loadProgram } from './load-program.ts'
import { alternatives, behind, bracesAt, closingBrace } from './text/braces.ts'
import { withByteCoders } from './text/byte-coders.ts'
import { bytesAt, encode, textOfBytes } from './text/bytes.ts'
import { arithmeticEnd, isArithmetic } from './text/is-arithmetic.ts'
import { keysInOrder } from './text/key-order.ts'
import { mapfileWords } from './text/mapfile-words.ts'
import { type Segment, splitWords } from './text/split-words.ts'
import { withoutHttpClient } from './without-http-client.ts'

type Modules = ReadonlyMap<string, unknown>
type Bundle = (
  modules: (name: string) => unknown,
  load: (name: string) => Promise<unknown>,
  $url: string,
  $text: (latin1: string) => string,
  $bytes: (text: string) => string,
  $size: (latin1: string, at: number) => number,
  $paths: (expander: Expander, pattern: string) => Promise<string[]>,
  $arithmetic: (script: string, at: number) => boolean,
  $keys: (keys: Iterable<string>) => string[],
  $mapfile: (words: readonly string[]) => string[] | string,
  $arithmeticEnd: (script: string, at: number) => number,
  $split: (segments: readonly Segment[], ifs: string) => string[],
  $behind: (text: string, at: number) => number,
  $bracesAt: (text: string, at: number) => string | null,
  $closingBrace: (text: string, at: number) => number,
  $alternatives: (text: string) => string[],
  $calculate: (operator: string, left: Integer, right: Integer) => Integer,
  $integer: (digits: string) => Integer,
) => JustBash

const loaded = new Map<string, Promise<JustBash>>()

/**
 * Loads just-bash's ES module with our mends once a thread; its other files are loaded as they are. Its CommonJS bundle has
 * no working `python3` and `sqlite3`.
 *
 * @param url - of `dist/bundle/index.js`; the host resolves it.
 * @param code - by which it is compiled.
 * @throws {TypeError} where this is not the file that the mends are for
 */
export function loadJustBash(url: string, code?: Code): Promise<JustBash> {
  const known = loaded.get(url)
  if (known !== undefined) return known
  const module = withByteCoders(() => withoutHttpClient(() => loadMended(url, code)))
  loaded.set(url, module)
  // What stood in the way, such as a limit of open files, may be gone at the next call.
  module.catch(() => loaded.delete(url))
  return module
}

async function loadMended(url: string, code: Code | undefined): Promise<JustBash> {
  const source = await readFile(new URL(url), 'utf8')
  assertPinned(source)
  const urlOf = (name: string) => (name.startsWith('.') ? new URL(name, url).href : name)
  const load = (name: string): Promise<unknown> => importModule(urlOf(name))
  const { pieces, imports } = prepared(source)
  const modules: Modules = new Map(
    await Promise.all(imports.map(async (name) => [name, await load(name)] as const)),
  )
  const text = `(function($module,$import,$url,$text,$bytes,$size,$paths,$arithmetic,$keys,$mapfile,$arithmeticEnd,$split,$behind,$bracesAt,$closingBrace,$alternatives,$calculate,$integer){"use strict";${joined(pieces, source)}\n})`
  const filename = fileURLToPath(url)
  const script = code?.script(text, filename) ?? new Script(text, { filename })
  const bundle: Bundle = script.runInThisContext()
  return bundle(
    (name) => modules.get(name),
    (name) => loadProgram(urlOf(name)),
    url,
    textOfBytes,
    encode,
    bytesAt,
    matchingPaths,
    isArithmetic,
    keysInOrder,
    mapfileWords,
    arithmeticEnd,
    splitWords,
    behind,
    bracesAt,
    closingBrace,
    alternatives,
    compute,
    integer,
  )
}
