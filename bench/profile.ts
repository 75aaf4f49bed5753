import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The position of a function; lines count from 0. */
interface CallFrame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
}

/** A CPU profile of V8: the function that ran at each sample. */
export interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[]
  readonly samples?: readonly number[] | undefined
  readonly timeDeltas?: readonly number[] | undefined
}

/** Self time of each part in microseconds. */
export function selfTimes(
  { nodes, samples = [], timeDeltas = [] }: Profile,
  part: (frame: CallFrame) => string,
) {
  const parts = new Map(nodes.map(({ id, callFrame }) => [id, part(callFrame)]))
  const times = new Map<string, number>()
  for (const [index, id] of samples.entries()) {
    const name = parts.get(id) ?? 'unknown'
    times.set(name, (times.get(name) ?? 0) + (timeDeltas[index] ?? 0))
  }
  return times
}

/** Parts for functions without a file. Other functions without a file belong to native code. */
const builtIn: Readonly<Record<string, string>> = {
  '(idle)': 'idle',
  '(garbage collector)': 'garbage collection',
  '(program)': 'the event loop',
  postMessage: 'postMessage',
  dispatch: 'the profiler',
}

/** The part of the runtime that a function belongs to: its source file, also inside the bundled worker. */
export function partOf({ functionName, url, lineNumber }: CallFrame): string {
  if (url === '') return builtIn[functionName] ?? 'native code'
  if (url.startsWith('node:')) return 'Node'
  const file = url.endsWith('/dist/worker/entry.cjs') ? sourceInBundle(url, lineNumber) : url
  if (file.includes('comlink')) return 'Comlink'
  return /(?:src|worker|bench)\/.*$/.exec(file)?.[0] ?? 'other'
}

const bundles = new Map<string, readonly string[]>()

/** The bundler heads each source file with a comment that names it. */
function sourceInBundle(url: string, line: number): string {
  let heads = bundles.get(url)
  if (heads === undefined) {
    let current = ''
    heads = readFileSync(url.startsWith('file:') ? fileURLToPath(url) : url, 'utf8')
      .split('\n')
      .map((text) => {
        current = /^\/\/ ((?:\.\.\/)*[\w@./-]+\.[cm]?[jt]s)$/.exec(text.trim())?.[1] ?? current
        return current
      })
    bundles.set(url, heads)
  }
  return heads[line] ?? ''
}
